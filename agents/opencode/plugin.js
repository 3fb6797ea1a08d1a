// Added by `episodes setup opencode`; `episodes setup opencode --remove` takes it out.
import { spawnSync } from "node:child_process"

const program = "PROGRAM"

const ask = (event, payload) => {
  const run = spawnSync(program, ["hook", "opencode", event], { input: JSON.stringify(payload), encoding: "utf8", timeout: 5000 })
  try {
    return JSON.parse(run.stdout).text
  } catch {
    return undefined
  }
}

export const Episodes = async ({ directory }) => {
  if (spawnSync(program, ["hook"], { timeout: 5000 }).error) return {}
  const open = new Map()
  const about = (id) => ({ session_id: id, cwd: directory })
  return {
    config: async (config) => {
      config.mcp = { episodes: { type: "local", command: [program, "mcp"] }, ...config.mcp }
    },
    event: async ({ event }) => {
      const id = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.created") open.set(id, ask("sessionCreated", { ...about(id), source: "startup" }))
      if (event.type === "session.idle") ask("sessionIdle", about(id))
    },
    "chat.message": async (input, output) => {
      const said = output.parts.find((part) => part.type === "text" && !part.synthetic)
      if (!said) return
      const known = [open.get(input.sessionID), ask("chatMessage", { ...about(input.sessionID), prompt: said.text })]
      open.delete(input.sessionID)
      const text = known.filter(Boolean).join("\n")
      if (text) output.parts.push({ ...said, id: said.id && said.id + "e", text, synthetic: true })
    },
    "tool.execute.after": async (input, output) => {
      if (input.tool !== "bash") return
      const text = ask("toolExecuteAfter", {
        ...about(input.sessionID),
        tool_name: input.tool,
        tool_input: input.args,
        tool_response: { output: output.output, exit_code: output.metadata?.exit },
      })
      if (text) output.output += "\n\n<episodes>\n" + text + "</episodes>"
    },
  }
}
