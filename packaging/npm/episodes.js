#!/usr/bin/env node
// Runs the program of this platform, which npm installed as an optional dependency.
"use strict";
const { spawnSync } = require("node:child_process");

const platform = `@episodes/${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "episodes.exe" : "episodes";
let program;
try {
  program = require.resolve(`${platform}/bin/${name}`);
} catch {
  console.error(`episodes: ${platform} is not installed: this platform has no build, or npm was told to omit optional dependencies`);
  process.exit(1);
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`episodes: ${error.message}`);
  process.exit(1);
}
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
