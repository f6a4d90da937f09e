import { newMessage } from '../wallets/messages.ts'

type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

const waitingMessage = { outgoing_messages: { state: 'pending', message: {} } }

/** The queries of the wing messaging, as `tenants-apart.test.ts` calls them. */
export function messagingCalls({ id, at, after }: { id: string; at: Date; after: Date }): Calls {
  const queuedLine = { outgoing_lines: { queuedUntil: at, nextAttemptAt: at } }
  return {
    deleteInbox: [[id, at]],
    deleteInboxMessage: [[id, id]],
    findInbox: [[id]],
    findInboxMessage: [[id, id]],
    listInboxDids: [[id, 10]],
    listInboxes: [[10]],
    listInboxMessages: [[id, 10]],
    countWaitingIn: [[id, 9], waitingMessage],
    countWaitingOf: [[9], waitingMessage],
    findFirstOf: [[id], waitingMessage],
    findLine: [[id]],
    holdLineTo: [[id]],
    proveRegistration: [[id, at]],
    recordSend: [[{ id, attemptsMade: 0 }, { attempt: { at: '' }, state: 'delivered' }, at], waitingMessage],
    takeDueLines: [[after, 9], { outgoing_lines: { nextAttemptAt: at } }],
    returnLine: [[{ lineId: id, queuedUntil: at.getTime() }, after], queuedLine],
    endLine: [[{ lineId: id, queuedUntil: at.getTime() }, after], queuedLine],
    putMessage: [[id, newMessage(id)]],
    renameInbox: [[id, 'changed']],
    unregisterDid: [[id, id]],
    unregisterDidOf: [[id]],
  }
}
