import type { Macs } from '../../secrets/secrets.ts'
import type { DirectChannel } from '../direct-requests.ts'
import { connectToSigner, type SignerConnection } from './signer-connection.ts'
import { findSocketPaths, type SocketFolder } from './socket-folder.ts'

export interface SocketChannel extends DirectChannel {
  close(): void
}

/** The time between two searches for signing processes. */
const lookEveryMs = 1_000
/** Maximum connections of a process. */
const maxSigners = 32

/**
 * Direct requests over Unix sockets to the signing processes of the same machine. A request goes to the process with the fewest requests of this
 * process. It needs no Redis. Messages are encrypted with keys of the service secret.
 */
export function createSocketChannel(folder: SocketFolder, secrets: Macs): SocketChannel {
  const signers = new Map<string, SignerConnection>()
  let lookedAt = Number.NEGATIVE_INFINITY
  let isClosed = false

  /** Runs in the background: its result is for later calls. */
  async function look(): Promise<void> {
    lookedAt = performance.now()
    for (const path of await findSocketPaths(folder)) {
      if (isClosed || signers.size >= maxSigners) return
      if (signers.has(path)) continue
      signers.set(
        path,
        connectToSigner(path, secrets, () => signers.delete(path)),
      )
    }
  }

  function findSigner(): SignerConnection | undefined {
    return [...signers.values()]
      .filter((signer) => signer.isUsable())
      .reduce<SignerConnection | undefined>(
        (best, signer) => (best && best.pending() <= signer.pending() ? best : signer),
        undefined,
      )
  }

  return {
    isOpen() {
      if (!isClosed && performance.now() - lookedAt > lookEveryMs) void look()
      return findSigner() !== undefined
    },
    async send(request) {
      const signer = findSigner()
      if (!signer) throw new Error('No signing process of this machine takes requests.')
      return signer.send(request)
    },
    async withdraw({ id }) {
      for (const signer of signers.values()) signer.withdraw(id)
    },
    close() {
      isClosed = true
      for (const signer of signers.values()) signer.close()
    },
  }
}
