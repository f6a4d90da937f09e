import { join } from 'node:path'
import type { InlineConfig, Plugin, Rolldown } from 'vite'

export interface NodeBundle {
  /** The folder of the project. */
  root: string
  /** The folder of the output. Its other files stay. */
  folder: string
  /** The output files without `.js`, each with its module: a path in the project, or an id of `plugins`. */
  entries: Record<string, string>
  /** The names of files that several entries or dynamic imports load. */
  parts: string
  target: string
  /** Packages that are imported and not part of the bundle. */
  external: string[]
  isMinified: boolean
  hasSourceMaps?: boolean
  /** More options of the output files. */
  output?: Rolldown.OutputOptions
  plugins?: Plugin[]
}

/** Writes modules with all their dependencies but the external ones as few files for Node.js. */
export async function bundleForNode(bundle: NodeBundle): Promise<void> {
  const { build } = await import('vite')
  const { root, external, plugins = [] } = bundle
  const config: InlineConfig = {
    configFile: false,
    root,
    logLevel: 'warn',
    // The bundle is the same where node_modules is a link.
    resolve: { preserveSymlinks: true },
    plugins: [jsoncParser(root), ...plugins],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: bundle.folder,
      emptyOutDir: false,
      target: bundle.target,
      minify: bundle.isMinified,
      sourcemap: bundle.hasSourceMaps ?? false,
      rolldownOptions: {
        input: bundle.entries,
        // BullMQ has a second back end, for PostgreSQL. Only processes with PostgreSQL load it.
        treeshake: { moduleSideEffects: [{ test: /node_modules\/bullmq\//, sideEffects: false }] },
        // A function of the package depd that nothing calls.
        checks: { eval: false },
        output: { entryFileNames: '[name].js', chunkFileNames: bundle.parts, ...bundle.output },
      },
    },
  }
  await build(config)
}

/** Node.js loads the CommonJS module of jsonc-parser, which has a default export. Its ES module can be bundled, but has none. */
function jsoncParser(root: string): Plugin {
  const file = join(root, 'node_modules/jsonc-parser/lib/esm/main.js')
  return {
    name: 'jsonc-parser',
    enforce: 'pre',
    resolveId: (id) => (id === 'jsonc-parser' ? '\0jsonc-parser' : undefined),
    load: (id) => (id === '\0jsonc-parser' ? `export * as default from ${JSON.stringify(file)}` : undefined),
  }
}
