import { type ResolveFnOutput, registerHooks } from 'node:module'

/**
 * Halves the CPU time and memory of a start. Entry points import this module before they import the rest with
 * `import()`. For each import of a package file, Node 24 reads and parses the package's package.json again, and
 * Drizzle's has 178 KB. The hook resolves to the same files as Node.
 */
const entries = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (/^drizzle-orm(\/|$)/.test(specifier)) {
      const known = entries.get(specifier)
      if (known) return known
      const entry = { ...nextResolve(specifier, context), shortCircuit: true }
      entries.set(specifier, entry)
      return entry
    }
    const { parentURL } = context
    // Drizzle's .js files are ES modules (its package.json: "type": "module"), and import each other by relative paths.
    if (/^\.\.?\/.*\.js$/.test(specifier) && parentURL?.includes('/node_modules/drizzle-orm/')) {
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    }
    return nextResolve(specifier, context)
  },
})
