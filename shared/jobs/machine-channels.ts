import type { Macs } from '../secrets/secrets.ts'
import type { DirectChannel } from './direct-requests.ts'
import { createLocalChannel, type LocalChannel } from './local-channel.ts'
import { createSocketChannel } from './sockets/socket-channel.ts'
import type { SocketFolder } from './sockets/socket-folder.ts'

/** The ways of direct requests to the signing processes of this machine. */
export interface MachineChannels {
  /** In the order of preference: a call in the process, then a socket. */
  channels: readonly DirectChannel[]
  /** Returns whether one of the channels is open. */
  isOpen(): boolean
  /** Makes the role signing of this process answer the direct requests of this process. Returns a function that ends it. */
  answerDirectly: LocalChannel['open']
  close(): void
}

/** Without `sockets`, only the process itself is reached. */
export function openMachineChannels(secrets: Macs, sockets: SocketFolder | undefined): MachineChannels {
  const local = createLocalChannel()
  const socket = sockets && createSocketChannel(sockets, secrets)
  const channels = socket ? [local, socket] : [local]
  return {
    channels,
    isOpen: () => channels.some((channel) => channel.isOpen()),
    answerDirectly: local.open,
    close: () => socket?.close(),
  }
}
