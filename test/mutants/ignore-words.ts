/** The parts of a node of Babel's syntax tree that the plugin reads. */
interface Node {
  type: string
  value?: unknown
  quasis?: { value: { raw: string } }[]
  callee?: { name?: string; property?: { name?: string }; object?: { name?: string; property?: { name?: string } } }
}

/** The parts of Babel's path to a node that the plugin reads. */
interface Path {
  node: Node
  parent?: Node
  /** The node's key in its parent, such as the number of the argument. */
  key?: unknown
}

/**
 * A plugin of Stryker. It skips code that protects nothing: texts for readers (with two spaces or more), log messages
 * and names of prepared statements.
 */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'words',
    value: {
      shouldIgnore({ node, parent, key }: Path): string | undefined {
        if (key === 0 && parent?.callee?.name?.startsWith('prepared')) return 'the name of a statement'
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
