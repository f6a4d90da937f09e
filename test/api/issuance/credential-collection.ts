import { eq } from 'drizzle-orm'
import { issuances } from '../../../db/tables/issuance/issuances.ts'
import { newHolderKey } from '../../wallets/wallet.ts'
import { type Endpoint, openEndpoint, type Session } from './credential-endpoint.ts'

type Around = Parameters<Endpoint['call']>[3]

/** Opens the credential endpoint with two configurations and two keys, and returns the steps that its tests share. */
export async function openCollection() {
  const endpoint = await openEndpoint()
  const [configurationId, otherId] = [await endpoint.newConfiguration(), await endpoint.newConfiguration()]
  const [key, otherKey] = await Promise.all([newHolderKey(), newHolderKey()])

  function reset(): void {
    endpoint.queue.requests.length = 0
    endpoint.queue.isServed = true
    endpoint.queue.answer = endpoint.sign
    endpoint.events.length = 0
  }

  const ofOffer = () => endpoint.newSession({ configurationIds: [configurationId, otherId] })
  const ofAuthorization = (credentialsLeft?: number) =>
    endpoint.newSession({
      configurationIds: [configurationId, otherId],
      isAuthorized: true,
      ...(credentialsLeft !== undefined && { credentialsLeft }),
    })
  const send = (session: Session, body: unknown, around?: Around) =>
    endpoint.call('issueCredential', session, body, around)

  async function collect(session: Session, { keys = [key], id = configurationId } = {}, around?: Around) {
    return send(session, { credential_configuration_id: id, proofs: await endpoint.proofsOf(keys) }, around)
  }

  /** The issuance, the claims and the key of each credential of an answer, as the signing queue of the test wrote them. */
  const credentialsOf = ({ body }: Awaited<ReturnType<typeof send>>) =>
    (body.credentials as { credential: string }[]).map(({ credential }) => JSON.parse(credential))

  const rowsOf = ({ id }: Session) => endpoint.db.read.select().from(issuances).where(eq(issuances.sessionId, id))
  const statesOf = async (session: Session) => (await rowsOf(session)).map(({ state }) => state)

  /** Puts the issuances of a session into a state in which their credentials are no longer stored. */
  const wipe = ({ id }: Session, state: 'wiped' | 'abandoned' = 'wiped') =>
    endpoint.db.tx((tx) => tx.update(issuances).set({ state, credentials: null }).where(eq(issuances.sessionId, id)))

  const steps = { ofOffer, ofAuthorization, send, collect, credentialsOf, rowsOf, statesOf, wipe }
  return { endpoint, configurationId, otherId, key, otherKey, reset, ...steps }
}

export const denied = { problem: 'credential_request_denied' }
