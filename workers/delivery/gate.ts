import { LRUCache } from 'lru-cache'
import { tenantDeliveries } from '../../shared/jobs/registry.ts'
import { Later } from './later.ts'
import { isDelivered } from './schedule.ts'

/** How many deliveries one process attempts at a time: four times what is one tenant's, so that none takes the others' turns. */
export const deliverySlots = 4 * tenantDeliveries
/** Of the deliveries of all, and of those of one tenant, this part is at receivers that may keep them waiting. */
const doubtfulPart = 3 / 4
/** At a receiver whose last answer was no success, or that was never asked. */
const unprovenShare = 4

/** A receiver is slow when it takes longer on average, or when it was asked that long ago. */
const slowMs = 300
/** How often those in line look whether their receiver has become slow. */
const lookEveryMs = 100
/** Nobody stands in line for longer than about this. */
const longestWaitMs = 2_000
const averageOver = 8
const mostPerSecond = 500
const receiversKept = 10_000

export interface Turn {
  /** Runs the receiver's part: how long it takes and what comes of it says how many turns the receiver gets. */
  measure<Answer extends { status?: number }>(work: () => Promise<Answer>): Promise<Answer>
  end(): void
}

/** Who may attempt a delivery now: a receiver that is slow, or gone, keeps neither other tenants nor its own from theirs. */
export interface Gate {
  /** Waits for a turn. Throws `Later` when it would take long, or the receiver is slow. */
  enter(tenantId: string, webhookId: string): Promise<Turn>
  /** About how many more deliveries of a webhook could be attempted within a second. */
  room(webhookId: string): number
  /** Sends away all who wait, and who come from now on. */
  close(): void
}

interface Receiver {
  id: string
  tenantId: string
  underWay: number
  line: { take(): void; leave(): void }[]
  /** When those that have not been answered yet were asked, the longest ago first. */
  asked: Set<{ at: number }>
  history: History
}

interface History {
  averageMs: number
  /** The last answer was a success. */
  proven: boolean
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a thing with a lifetime, of small functions that share its state
export function createGate(): Gate {
  const histories = new LRUCache<string, History>({ max: receiversKept })
  /** Those with deliveries under way or in line, whose turn is next first. */
  const busy = new Map<string, Receiver>()
  let looking: NodeJS.Timeout | undefined
  let closed = false

  function receiverOf(tenantId: string, id: string): Receiver {
    const known = busy.get(id)
    if (known) return known
    const history = histories.get(id) ?? { averageMs: 0, proven: false }
    const receiver = { id, tenantId, underWay: 0, line: [], asked: new Set<{ at: number }>(), history }
    histories.set(id, history)
    busy.set(id, receiver)
    return receiver
  }

  function turnOf(receiver: Receiver): Turn {
    receiver.underWay++
    return {
      measure: (work) => measure(receiver, work),
      end() {
        receiver.underWay--
        forgetIfIdle(receiver)
        serve()
      },
    }
  }

  function forgetIfIdle({ id, underWay, line }: Receiver): void {
    if (underWay === 0 && line.length === 0) busy.delete(id)
  }

  /** Lets in who has a turn now. A receiver that was served is the last one the next time. */
  function serve(): void {
    const inLine = [...busy.values()].filter(({ line }) => line.length > 0)
    if (inLine.length === 0) return
    const counts = countOf(busy.values())
    for (const receiver of inLine) {
      while (receiver.line.length > 0 && hasTurn(receiver, counts)) {
        receiver.line.shift()?.take()
        counts.add(receiver, 1)
        busy.delete(receiver.id)
        busy.set(receiver.id, receiver)
      }
    }
  }

  function look(): void {
    const inLine = [...busy.values()].filter(({ line }) => line.length > 0)
    for (const receiver of inLine) {
      if (!closed && !isSlow(receiver)) continue
      for (const each of receiver.line.splice(0)) each.leave()
      forgetIfIdle(receiver)
    }
    if (inLine.length > 0) return
    clearInterval(looking)
    looking = undefined
  }

  function standInLine(receiver: Receiver): Promise<Turn> {
    looking ??= setInterval(look, lookEveryMs)
    return new Promise((resolve, reject) => {
      receiver.line.push({ take: () => resolve(turnOf(receiver)), leave: () => reject(new Later(0)) })
    })
  }

  return {
    async enter(tenantId, webhookId) {
      if (closed) throw new Later(0)
      const receiver = receiverOf(tenantId, webhookId)
      if (receiver.line.length === 0 && hasTurn(receiver, countOf(busy.values()))) return turnOf(receiver)
      const waitMs = (receiver.line.length * receiver.history.averageMs) / shareOf(receiver.history)
      if (isSlow(receiver) || waitMs > longestWaitMs) {
        forgetIfIdle(receiver)
        throw new Later(0)
      }
      return standInLine(receiver)
    },
    room(webhookId) {
      const history = histories.get(webhookId) ?? { averageMs: 0, proven: false }
      const { underWay = 0, line = [] } = busy.get(webhookId) ?? {}
      const perSecond = history.proven ? (shareOf(history) * 1_000) / Math.max(history.averageMs, 1) : 4 * unprovenShare
      return Math.max(0, Math.ceil(Math.min(perSecond, mostPerSecond)) - underWay - line.length)
    },
    close() {
      closed = true
      look()
    },
  }
}

function hasTurn(receiver: Receiver, { all, ofTenant }: Counts): boolean {
  if (!receiver.history.proven && receiver.underWay >= unprovenShare) return false
  const own = ofTenant.get(receiver.tenantId) ?? { underWay: 0, doubtful: 0 }
  if (all.underWay >= deliverySlots || own.underWay >= tenantDeliveries) return false
  if (!isDoubtful(receiver)) return true
  return all.doubtful < deliverySlots * doubtfulPart && own.doubtful < tenantDeliveries * doubtfulPart
}

interface Count {
  underWay: number
  /** Of these, at receivers that may keep them waiting. */
  doubtful: number
}

interface Counts {
  all: Count
  ofTenant: Map<string, Count>
  add(receiver: Receiver, more: number): void
}

/** Counted anew each time: who is slow is a question of the moment. */
function countOf(receivers: Iterable<Receiver>): Counts {
  const counts: Counts = {
    all: { underWay: 0, doubtful: 0 },
    ofTenant: new Map(),
    add(receiver, more) {
      const own = counts.ofTenant.get(receiver.tenantId) ?? { underWay: 0, doubtful: 0 }
      counts.ofTenant.set(receiver.tenantId, own)
      for (const count of [counts.all, own]) {
        count.underWay += more
        if (isDoubtful(receiver)) count.doubtful += more
      }
    },
  }
  for (const receiver of receivers) counts.add(receiver, receiver.underWay)
  return counts
}

function isDoubtful(receiver: Receiver): boolean {
  return !receiver.history.proven || isSlow(receiver)
}

function isSlow({ history, asked }: Receiver): boolean {
  const [longest] = asked
  return history.averageMs > slowMs || (longest !== undefined && performance.now() - longest.at > slowMs)
}

function shareOf({ proven, averageMs }: History): number {
  if (!proven) return unprovenShare
  return averageMs > slowMs ? tenantDeliveries * doubtfulPart : tenantDeliveries
}

async function measure<Answer extends { status?: number }>(
  { asked, history }: Receiver,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const since = { at: performance.now() }
  asked.add(since)
  try {
    const answer = await work()
    history.proven = isDelivered(answer.status)
    return answer
  } finally {
    asked.delete(since)
    history.averageMs += (performance.now() - since.at - history.averageMs) / averageOver
  }
}
