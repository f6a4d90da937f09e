import { type ApiClient, createTrustwright, TrustwrightError } from '../../../shared/client/client.ts'
import type { RetryLimits } from '../../../shared/client/retries.ts'
import { productVersion } from '../../../shared/process/product-version.ts'
import { withApprovalNotice } from './approval-notice.ts'
import { type Arguments, type Command, type CommandCall, type Terminal, textOf, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { fetchFrom } from './fetch-from.ts'
import { helpOf } from './help.ts'
import { withIgnoredNotice } from './ignored-notice.ts'
import { clientOfVariables, findProfile, type Profile } from './profiles.ts'
import { readCommand } from './read-command.ts'
import { withRetryNotice } from './retry-notice.ts'
import { createSessionClient } from './session-client.ts'
import { textOfError } from './text-of-error.ts'
import { warningsNotice } from './warnings-notice.ts'

/** Runs a command line and returns the exit code of the command. After an error, prints it to standard error and returns 1. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { stdout, stderr } = terminal
  try {
    const request = readCommand(args, commands)
    if (request.kind === 'run') return await runCommand(request.command, runningOf(request.args, terminal))
    stdout.write(`${request.kind === 'version' ? productVersion : helpOf(request.of)}\n`)
    return 0
  } catch (error) {
    stderr.write(`${textOfError(error)}\n`)
    return 1
  }
}

async function runCommand(command: Command, call: CommandCall): Promise<number> {
  try {
    return (await command.run(call)) ?? 0
  } catch (error) {
    throw error instanceof TrustwrightError ? new UsageError(textOfRefusal(error, adviceOf(command, call))) : error
  }
}

function textOfRefusal({ status, code, message, requestId }: TrustwrightError, advice: string): string {
  const facts = [status, code, requestId && `request ${requestId}`].filter(Boolean).join(', ')
  return `${message}${status === 401 ? `. ${advice}` : ''} (${facts})`
}

/** Returns what to do if the service refuses the client. */
function adviceOf({ name }: Command, call: CommandCall): string {
  if (name === 'login' && textOf(call, 'client-id') !== undefined) return 'Check --client-id and the secret'
  if (call.profile === undefined && clientOfVariables(call.terminal.env))
    return 'Check TRUSTWRIGHT_CLIENT_ID and TRUSTWRIGHT_CLIENT_SECRET'
  return 'Run "trustwright login" again'
}

function runningOf(args: Arguments, terminal: Terminal): CommandCall {
  const profile = textOf(args, 'profile')
  const json = args.values.json === true
  return {
    ...args,
    terminal,
    profile,
    json,
    client: async (limits = {}, send = fetch) => clientOf(findProfile(terminal.env, profile), limits, send, terminal),
    print: (value, text) => void terminal.stdout.write(`${json ? JSON.stringify(value) : text}\n`),
  }
}

function clientOf(
  profile: Profile,
  { maxRetryMs = 30_000 }: Partial<RetryLimits>,
  plainSend: typeof fetch,
  { stderr }: Terminal,
): ApiClient {
  const { baseUrl } = profile
  const send = withRetryNotice(withApprovalNotice(withIgnoredNotice(plainSend, stderr), stderr), {
    baseUrl,
    maxRetryMs,
    stderr,
  })
  const options = { maxRetryMs, fetch: fetchFrom(baseUrl, send) }
  const client =
    'cookie' in profile
      ? createSessionClient({ ...profile, ...options })
      : createTrustwright({ ...profile, ...options })
  client.use(warningsNotice(stderr))
  return client
}
