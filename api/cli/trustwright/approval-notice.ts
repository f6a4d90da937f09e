import { terminalText } from './bulk/terminal-text.ts'

/** Returns a `fetch` that says when the service stored a request for an approval instead of executing it. */
export function withApprovalNotice(send: typeof fetch, stderr: Pick<NodeJS.WriteStream, 'write'>): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    const id = response.status === 202 ? await findApprovalId(response.clone()) : undefined
    if (id !== undefined)
      stderr.write(
        `The request waits for the approval ${terminalText(id)}. Another person approves it: trustwright approvals approve ${terminalText(id)}\n`,
      )
    return response
  }
}

async function findApprovalId(response: Response): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined)
  const approval = memberOf(body, 'approval')
  const id = memberOf(approval, 'id')
  return memberOf(approval, 'state') === 'waiting' && typeof id === 'string' ? id : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
