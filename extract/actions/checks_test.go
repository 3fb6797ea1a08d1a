package actions

import "testing"

func TestWhatACommandChecks(t *testing.T) {
	names := map[checkKind]string{noCheck: "-", testCheck: "test", buildCheck: "build", commit: "commit"}
	for _, c := range []struct{ line, id, kind string }{
		// Scripts of packages.
		{"npm t", "npm test", "test"},
		{"npm run test:unit -- --grep login", "npm run test:unit", "test"},
		{"npm run -s lint", "npm run lint", "build"},
		{"npm --prefix web run build", "npm run build", "build"},
		{"npm ci", "npm ci", "build"},
		{"npm run dev", "npm run dev", "-"},
		{"scripts/check-prerequisites.sh --json", "check-prerequisites.sh", "-"},
		{"Format-Table Name", "Format-Table", "-"},
		{"npm publish --dry-run", "npm publish", "build"},
		{"pnpm --filter @shop/web test", "pnpm test", "test"},
		{"pnpm add -D zod", "pnpm add", "build"},
		{"pnpm -C web vitest run", "vitest", "test"},
		{"yarn", "yarn install", "build"},
		{"yarn workspace web test", "yarn test", "test"},
		{"bun run typecheck", "bun run typecheck", "build"},
		{"pnpm run lint", "pnpm lint", "build"},
		{"npx vitest run src/a.test.ts", "vitest", "test"},
		{"npx playwright test", "playwright test", "test"},
		{"npx playwright install chromium", "playwright install", "build"},
		{"node --test", "node --test", "test"},
		{"node --run lint", "node --run lint", "build"},
		{"node scripts/seed.js", "node seed.js", "-"},
		{"node -e 'console.log(1)'", "node -e", "-"},
		{"deno task check", "deno task check", "build"},
		{"turbo run build --filter=web", "turbo run build", "build"},
		// Go, Rust.
		{"go test ./...", "go test", "test"},
		{"go -C api test ./...", "go test", "test"},
		{"go mod tidy", "go mod tidy", "build"},
		{"go run ./cmd/app", "go run ./cmd/app", "-"},
		{"go env GOPATH", "go env", "-"},
		{"go tool golangci-lint run", "go tool golangci-lint", "build"},
		{"gofmt -l .", "gofmt", "-"},
		{"golangci-lint run ./...", "golangci-lint", "build"},
		{"cargo nextest run", "cargo nextest run", "test"},
		{"cargo +nightly clippy -- -D warnings", "cargo clippy", "build"},
		{"cargo t", "cargo test", "test"},
		{"cargo --manifest-path api/Cargo.toml test", "cargo test", "test"},
		{"cargo run -- --help", "cargo run", "-"},
		// Python.
		{"python -m pytest -x", "pytest", "test"},
		{"python3 -m unittest discover", "unittest", "test"},
		{"python3 -m pip install -e .", "pip install", "build"},
		{"python manage.py test shop", "python manage.py test", "test"},
		{"python manage.py migrate", "python manage.py migrate", "-"},
		{"python3 - <<'EOF'\nprint(1)\nEOF", "python -", "-"},
		{"python3 -c 'import shop'", "python -c", "-"},
		{"python3.12 -m pytest", "pytest", "test"},
		{".venv/bin/python -m mypy shop", "mypy", "build"},
		{"ruff check .", "ruff", "build"},
		{"uv pip install rich", "uv pip install", "build"},
		{"py -m pytest", "pytest", "test"},
		// Makers.
		{"make", "make", "build"},
		{"make -j8 all", "make all", "build"},
		{"make -C api lint", "make lint", "build"},
		{"make deploy", "make deploy", "-"},
		{"mise run lint", "mise run lint", "build"},
		{"cmake --build build", "cmake", "build"},
		{"bazel test //...", "bazel test", "test"},
		{"make -j 8 check", "make check", "build"},
		{"make clean test", "make test", "test"},
		{"sometool test --all", "sometool test", "-"},
		// The JVM, .NET and others.
		{"./gradlew :app:assembleDebug", "gradle :app:assembleDebug", "build"},
		{"./gradlew clean build", "gradle build", "build"},
		{"dotnet test --no-build", "dotnet test", "test"},
		{"dotnet run", "dotnet run", "-"},
		{"docker build -t web .", "docker build", "build"},
		{"docker compose build web", "docker compose build", "build"},
		{"./gradlew testDebugUnitTest", "gradle testDebugUnitTest", "test"},
		{"docker run -d --name test-db postgres:17", "docker run postgres:17", "-"},
		{"docker run test-db", "docker run test-db", "-"},
		{"docker ps -a", "docker ps", "-"},
		{"mix test", "mix test", "test"},
		{"bin/rails db:migrate", "rails db:migrate", "-"},
		{"./vendor/bin/phpunit", "phpunit", "test"},
		{"php artisan test", "php artisan test", "test"},
		{"xcodebuild -scheme App test", "xcodebuild test", "test"},
		{"terraform validate", "terraform validate", "build"},
		{"terraform plan", "terraform plan", "-"},
		{"sh ./run-tests.sh", "sh run-tests.sh", "test"},
		{"./scripts/test.sh", "test.sh", "test"},
		// Git and its hooks.
		{"git commit -m 'test: more'", "git commit", "commit"},
		{"git -c user.name=x commit --amend --no-edit", "git commit", "commit"},
		{"git push origin main", "git push", "-"},
		{"git log --oneline -- test", "git log", "-"},
		{"gh run view 9 --log-failed", "gh run view", "-"},
		{"npx lefthook run pre-commit", "lefthook run pre-commit", "build"},
		{"npx lint-staged", "lint-staged", "build"},
		// What only names a check.
		{"cat test/build.log", "cat", "-"},
		{"grep -rn 'npm test' .", "grep", "-"},
		{"echo npm test", "echo", "-"},
		{"mkdir -p build/test", "mkdir", "-"},
		{"cd test", "", "-"},
		// Of several, the one that checks the most.
		{"npm run build && npm test", "npm test", "test"},
		{"npm test && npm run build", "npm test", "test"},
		{"npm test 2>&1 | tail -20", "npm test", "test"},
		{"cat report.txt && npm run lint", "npm run lint", "build"},
		{"go vet ./... && git add -A && git commit -m x", "git commit", "commit"},
	} {
		check := parseShell(c.line).blamed("")
		id, kind := "", noCheck
		if check != nil {
			id, kind = check.id(), check.kind()
		}
		if id != c.id || names[kind] != c.kind {
			t.Errorf("%-50q got %q (%s), want %q (%s)", c.line, id, names[kind], c.id, c.kind)
		}
	}
}
