import jsonc from 'jsonc-parser'

export type FileContent = Record<string, unknown>

/** A file of a tenant. */
export interface TenantFile {
  /** The name in the folder, with its extension. */
  file: string
  text: string
  content: FileContent
}

/** Returns the line at an offset of a text, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Returns the line of a member, or of the nearest member that contains it. */
export function lineOfMember({ file, text }: TenantFile, path: string): number | undefined {
  if (file.endsWith('.pem')) return undefined
  const tree = jsonc.parseTree(text, [], { allowTrailingComma: true })
  const names = path === '' ? [] : path.split('.').map((name) => (/^\d+$/.test(name) ? Number(name) : name))
  for (let length = names.length; tree && length >= 0; length--) {
    const node = jsonc.findNodeAtLocation(tree, names.slice(0, length))
    if (node) return lineAt(text, node.offset)
  }
  return undefined
}

/** Calls `visit` with each object and list of a value, and with its dotted path. */
export function visitObjects(value: unknown, visit: (value: object, path: string) => void, path = ''): void {
  if (typeof value !== 'object' || value === null) return
  visit(value, path)
  for (const [name, each] of Object.entries(value)) visitObjects(each, visit, path === '' ? name : `${path}.${name}`)
}
