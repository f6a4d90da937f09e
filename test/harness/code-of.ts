/** Returns the code of a function without its types and line breaks. Node.js replaces types with spaces. */
export function codeOf(call: unknown): string {
  return String(call)
    .replace(/\s+/g, ' ')
    .replace(/ ?\( ?/g, '(')
    .replaceAll(' ,', ',')
}
