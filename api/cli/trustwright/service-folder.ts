import { UsageError } from './command.ts'

/** Runs a command that needs packages of the service. The npm package of the command line does not have them. */
export async function withServiceFolder(run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      throw new UsageError('This is the npm package. Run the command in the folder of the service.')
    throw error
  }
}
