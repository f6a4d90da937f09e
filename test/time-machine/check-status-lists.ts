import { gunzipSync, inflateSync } from 'node:zlib'
import { getListFromStatusListJWT } from '@owf/token-status-list'
import { compactVerify, importX509 } from 'jose'
import { dayMs } from '../../shared/clock.ts'
import type { CredentialProfile } from '../../shared/domain/issuance/profiles.ts'
import { verifyCwtBytes, verifyJsonLd } from '../verifiers/outside-verifiers.ts'
import { requireChain, requireOpenssl } from './check-authorities.ts'
import type { Held, Status } from './credentials.ts'
import { must, pathOf } from './outside.ts'
import { type Check, type CheckContext, clocksApartMs, type Published, renewedBy, requireTimes } from './published.ts'
import { read, readSign1 } from './read-mobile.ts'

/** Returns the credentials with an entry in a list of the profile, by the URL of the list. */
function heldByList({ history, tenant }: CheckContext, profile: CredentialProfile): Map<string, Held[]> {
  const held = history.held.filter((each) => each.tenant === tenant && each.profile === profile && each.list)
  return Map.groupBy(held, ({ list }) => list?.url ?? '')
}

type ReadList = (
  context: CheckContext,
  url: string,
) => Promise<{ statusAt(index: number): number; published: Published } | 'ended'>

/** Compares each entry of a list with the status of its credential. */
function listsOf(profile: CredentialProfile, readList: ReadList): Check {
  return async (context) => {
    const all: Published[] = []
    for (const [url, held] of heldByList(context, profile)) {
      const list = await readList(context, url)
      if (list === 'ended') continue
      for (const { id, status, isFinal, list: entry } of held) {
        const publishedStatus = list.statusAt(entry?.index ?? 0)
        const words = `the ${isFinal ? 'final ' : ''}status of ${profile} credential ${id}`
        must(
          publishedStatus === statusValueOf(status, profile),
          `${words} is ${status}, its list has ${publishedStatus}`,
        )
      }
      all.push(list.published)
    }
    return all
  }
}

function statusValueOf(status: Status, profile: CredentialProfile): number {
  if (status === 'suspended') return profile === 'sd-jwt' ? 2 : 1
  return status === 'valid' ? 0 : 1
}

const cwtList: ReadList = async ({ tenant, at, did }, url) => {
  const { status, bytes } = await tenant.outside.get(pathOf(url))
  must(status === 200, `${url} is answered with ${status}`)
  const { claims } = verifyCwtBytes(bytes, await did())
  const bits = gunzipSync(claims.get(-65538) as Uint8Array)
  const until = dateOf(claims.get(4))
  requireTimes(url, { from: dateOf(claims.get(6)), until, at })
  return { statusAt: (index) => bitAt(bits, index), published: { url, until, renewedBy: renewedBy(until, dayMs) } }
}

/** The lists of web-semantic credentials have no end. */
const jsonLdList: ReadList = async ({ tenant, at, did }, url) => {
  const { status, bytes } = await tenant.outside.get(pathOf(url))
  must(status === 200, `${url} is answered with ${status}`)
  const document = JSON.parse(bytes.toString())
  must(await verifyJsonLd(document, await did()), `${url} is not verified by the DID document`)
  must(new Date(document.issuanceDate).getTime() <= at.getTime() + clocksApartMs, `${url} begins in the future`)
  const bits = gunzipSync(Buffer.from(document.credentialSubject.encodedList, 'base64url'))
  return { statusAt: (index) => bitAt(bits, index), published: { url } }
}

const tokenList: ReadList = async (context, url) => {
  const { tenant, at } = context
  const { status, bytes } = await tenant.outside.get(pathOf(url), 'application/statuslist+cwt')
  if (status === 410) {
    const ended = tenant.authorities.some(({ kind, certificate }) => kind === 'iaca' && certificate.validToDate <= at)
    must(ended, `${url} is answered with 410, and no IACA has ended`)
    return 'ended'
  }
  must(status === 200, `${url} is answered with ${status}`)
  const { signer, payload } = readSign1(read(bytes))
  const claims = read<Map<number, unknown>>(payload)
  const jwt = (await tenant.outside.get(pathOf(url), 'application/statuslist+jwt')).bytes.toString()
  const verified = await compactVerify(jwt, await importX509(signer.toString(), 'ES256'))
  const { exp, iat, status_list } = JSON.parse(Buffer.from(verified.payload).toString())
  must(exp === claims.get(4) && iat === claims.get(6), `${url} has other times as a JWT`)
  const [from, until] = [dateOf(iat), dateOf(exp)]
  requireTimes(url, { from, until, at })
  const root = requireChain(context, signer, { kind: 'iaca', from: at, until })
  const { bits, lst } = status_list
  const bytesOfList = inflateSync(Buffer.from(lst, 'base64url'))
  // The library needs 10 ms for a list.
  if (context.isThorough) {
    await requireOpenssl(context, signer, root)
    const { statusList } = getListFromStatusListJWT(jwt)
    const differs = statusList.findIndex((value, index) => value !== valueAt(bytesOfList, index, bits))
    must(differs === -1, `${url} has another status at ${differs} for @owf/token-status-list`)
  }
  return {
    statusAt: (index) => valueAt(bytesOfList, index, bits),
    published: { url, until, ...(until < root.validToDate && { renewedBy: renewedBy(until, 3 * dayMs) }) },
  }
}

export const statusListChecks = {
  'compact-list': listsOf('compact', cwtList),
  'compact-semantic-list': listsOf('compact-semantic', cwtList),
  'web-semantic-list': listsOf('web-semantic', jsonLdList),
  'mobile-list': listsOf('mobile', tokenList),
  'sd-jwt-list': listsOf('sd-jwt', tokenList),
}

function dateOf(seconds: unknown): Date {
  return new Date(Number(seconds) * 1000)
}

/** Token Status List, section 4: the first entry has the lowest bits of the first byte. */
function valueAt(bytes: Buffer, index: number, bits: number): number {
  const perByte = 8 / bits
  const shift = (index % perByte) * bits
  return ((bytes[Math.floor(index / perByte)] ?? 0) >> shift) & (2 ** bits - 1)
}

/** The first entry is the highest bit of the first byte. */
function bitAt(bits: Buffer, index: number): number {
  return ((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1
}
