package actions

import "testing"

func TestWhatACommandChecks(t *testing.T) {
	names := map[checkKind]string{noCheck: "-", testCheck: "test", buildCheck: "build", commit: "commit"}
	for _, c := range []struct{ line, id, kind string }{
		// Scripts of packages.
		{"npm t", "npm test", "test"},
		{"npm run test:unit -- --grep login", "npm run test:unit", "test"},
		{"npm run -s lint", "npm run lint", "build"},
		{"npm run dev", "npm run dev", "-"},
		{"scripts/check-prerequisites.sh --json", "check-prerequisites.sh", "-"},
		{"Format-Table Name", "Format-Table", "-"},
		{"pnpm --filter @shop/web test", "pnpm test", "test"},
		{"pnpm -C web vitest run", "vitest", "test"},
		{"yarn", "yarn install", "build"},
		{"yarn workspace web test", "yarn test", "test"},
		{"bun run typecheck", "bun run typecheck", "build"},
		{"pnpm run lint", "pnpm lint", "build"},
		{"npx playwright install chromium", "playwright install", "build"},
		{"node --test", "node --test", "test"},
		{"node --run lint", "node --run lint", "build"},
		{"node scripts/seed.js", "node seed.js", "-"},
		{"node -e 'console.log(1)'", "node -e", "-"},
		// Go, Rust.
		{"go test ./...", "go test", "test"},
		{"go -C api test ./...", "go test", "test"},
		{"go mod tidy", "go mod tidy", "build"},
		{"go run ./cmd/app", "go run ./cmd/app", "-"},
		{"go tool golangci-lint run", "go tool golangci-lint", "build"},
		{"cargo +nightly clippy -- -D warnings", "cargo clippy", "build"},
		{"cargo t", "cargo test", "test"},
		{"cargo --manifest-path api/Cargo.toml test", "cargo test", "test"},
		{"cargo run -- --help", "cargo run", "-"},
		// Python.
		{"python -m pytest -x", "pytest", "test"},
		{"python manage.py test shop", "python manage.py test", "test"},
		{"python3 - <<'EOF'\nprint(1)\nEOF", "python -", "-"},
		{"python3 -c 'import shop'", "python -c", "-"},
		{"python3.12 -m pytest", "pytest", "test"},
		{".venv/bin/python -m mypy shop", "mypy", "build"},
		{"py -m pytest", "pytest", "test"},
		// Makers.
		{"make", "make", "build"},
		{"make -j8 all", "make all", "build"},
		{"make deploy", "make deploy", "-"},
		{"cmake --build build", "cmake", "build"},
		{"make -j 8 check", "make check", "build"},
		{"make clean test", "make test", "test"},
		{"sometool test --all", "sometool test", "-"},
		// The JVM, .NET and others.
		{"./gradlew :app:assembleDebug", "gradle :app:assembleDebug", "build"},
		{"./gradlew clean build", "gradle build", "build"},
		{"dotnet test --no-build", "dotnet test", "test"},
		{"docker compose build web", "docker compose build", "build"},
		{"./gradlew testDebugUnitTest", "gradle testDebugUnitTest", "test"},
		{"docker run -d --name test-db postgres:17", "docker run postgres:17", "-"},
		{"docker run test-db", "docker run test-db", "-"},
		{"docker ps -a", "docker ps", "-"},
		{"./vendor/bin/phpunit", "phpunit", "test"},
		{"php artisan test", "php artisan test", "test"},
		{"xcodebuild -scheme App test", "xcodebuild test", "test"},
		{"terraform validate", "terraform validate", "build"},
		{"sh ./run-tests.sh", "sh run-tests.sh", "test"},
		// Git and its hooks.
		{"git commit -m 'test: more'", "git commit", "commit"},
		{"git -c user.name=x commit --amend --no-edit", "git commit", "commit"},
		{"git log --oneline -- test", "git log", "-"},
		{"gh run view 9 --log-failed", "gh run view", "-"},
		{"npx lefthook run pre-commit", "lefthook run pre-commit", "build"},
		// What only names a check.
		{"cat test/build.log", "cat", "-"},
		{"grep -rn 'npm test' .", "grep", "-"},
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
