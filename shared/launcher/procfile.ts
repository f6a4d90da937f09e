export interface ProcfileEntry {
  name: string
  command: string
}

/** Parses the lines of a Procfile, `name: command`. Leaves out blank lines and `#` comments. */
export function parseProcfile(text: string): ProcfileEntry[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line && !line.startsWith('#')).map(parseLine)
}

function parseLine(line: string): ProcfileEntry {
  const [, name, command] = /^([\w-]+):\s*(\S.*)$/.exec(line) ?? []
  if (!name || !command) throw new Error(`The Procfile has a line that is not "name: command": ${line}`)
  return { name, command }
}
