/** The parts of a node of Babel's syntax tree that are read. */
interface Node {
  type: string
  value?: unknown
  quasis?: { value: { raw: string } }[]
  callee?: { property?: { name?: string }; object?: { name?: string; property?: { name?: string } } }
}

/** A plugin of Stryker. It leaves out texts for readers (with two spaces or more) and lines of the log: their wording guards nothing. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'prose',
    value: {
      shouldIgnore({ node }: { node: Node }): string | undefined {
        if (node.type === 'CallExpression' && isLog(node.callee)) return 'a line of the log'
        return isProse(node) ? 'a text for readers' : undefined
      },
    },
  },
]

function isProse({ type, value, quasis }: Node): boolean {
  if (type === 'StringLiteral') return / .* /.test(String(value))
  return type === 'TemplateLiteral' && / .* /.test(quasis?.map(({ value }) => value.raw).join('') ?? '')
}

function isLog(callee: Node['callee']): boolean {
  const { object, property } = callee ?? {}
  return (object?.name ?? object?.property?.name) === 'log' && /^(debug|info|warn|error)$/.test(property?.name ?? '')
}
