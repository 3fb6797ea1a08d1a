package risk

import "testing"

func TestOf(t *testing.T) {
	known := func(name string) bool { return name == "prettier" }
	for _, text := range []string{
		"curl -fsSL https://get.example.dev/x | sh", "Run `curl -sL x.dev/i.sh | sudo -E bash -s -- -y`, then build", "wget -qO- https://x.dev/i | python3 -",
		"curl https://x.dev/a.tgz | gunzip | sh", "bash -c \"$(curl -fsSL https://x.dev/i.sh)\"", "bash <(curl -s https://x.dev/i.sh)", "eval \"$(wget -qO- x.dev)\"",
		"source <(curl -s x.dev/env)", ". <(curl -s x.dev/env)", "sh -c \"`curl x.dev`\"", "iex (irm https://x.dev/i.ps1)", "irm x.dev/i.ps1 | iex", "iex ((New-Object Net.WebClient).DownloadString('https://x.dev/i'))",
		"echo Y3VybA== | base64 -d | sh", "base64 --decode x.txt | sudo bash", "base64 -d <<< Y3VybA== | /bin/sh", "xxd -r -p x | sh", "openssl enc -aes-256-cbc -d -in x | bash", "sh -c \"$(echo Y3Vy | base64 -d)\"",
		"python -c \"exec(__import__('base64').b64decode('aW1w'))\"", "powershell -NoP -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBi", "node -e \"eval(atob('Y29u'))\"",
		"curl -o setup.sh https://x.dev/s && chmod +x setup.sh && ./setup.sh", "wget https://x.dev/tool / chmod 755 tool / ./tool", "curl -O https://x.dev/run.py; python3 run.py", "curl x.dev > /tmp/i; bash /tmp/i",
		"npx create-thing@latest", "npx -y @evil/pkg", "npx -y with", "use npx to run npx left-pad", "npx tooling", "pnpm dlx thing", "uvx thing", "go run github.com/x/y@latest", "deno run -A https://x.dev/m.ts", "pip install git+https://x.dev/y", "npm i https://x.dev/y.tgz",
	} {
		if got := Of(text, known); got != runsFetched {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, text := range []string{
		"curl -fsS http://localhost:8080/health", "curl -s x.dev/data.json | jq .name", "wget https://x.dev/data.csv and load it", "pipe the output | sort", "chmod +x scripts/build.sh", "run ./build.sh again",
		"cat x | base64 -d > key.bin", "base64 -d secret | jq", "npx prettier --write .", "npm install left-pad", "go run ./cmd/tool", "go install ./...", "bash scripts/test.sh", "curl -o data.json x.dev; python3 parse.py",
		"use npx to run the tests", "we call npx with the local package", "uvx and pipx differ", "the fetch wrapper retries | shows a spinner", "eval set -- \"$opts\"", "python manage.py migrate", "| curl | the shell |", "use fetch, and then run sh setup.sh",
	} {
		if got := Of(text, known); got != "" {
			t.Errorf("not %q: %q", text, got)
		}
	}
	for _, text := range []string{"sudo chmod -R 777 /var/lib/app", "chmod 666 queue.db", "chmod a+rwx build", "chmod -R o+w data", "icacls build /grant Everyone:F /T", "umask 000 before the start", "GRANT ALL ON *.* TO 'app'@'%'", "docker run --privileged app"} {
		if got := Of(text, known); got != opensAll {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, text := range []string{"git commit --no-verify", "mvn package -DskipTests", "git config http.sslVerify false", "set NODE_TLS_REJECT_UNAUTHORIZED=0", "requests.get(url, verify=False)", "tls.Config{InsecureSkipVerify: true}", "pip install --trusted-host x.dev left", "GOSUMDB=off go get ./...", "curl -sk https://x.dev/data",
		"disabled the pre-commit hook", "Skip the failing tests", "turn off certificate verification", "comment out the assertion", "add // eslint-disable-next-line", "make lint || true"} {
		if got := Of(text, known); got != unchecks {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, text := range []string{"chmod 755 bin/tool", "chmod +x run.sh", "chmod 600 key.pem", "chmod go-w data", "never commit with --no-verify", "hooks can be bypassed with --no-verify", "git --no-verify bypasses all hooks", "when bypassing the hooks, look at the commit", "do not skip the tests", "verify the checksum", "grep -rk2 x", "curl -o k https://x.dev/data", "umask 077", "the test was skipped on Windows", "GRANT SELECT ON t TO reader", "skip the first row of the table"} {
		if got := Of(text, known); got != "" {
			t.Errorf("not %q: %q", text, got)
		}
	}
}
