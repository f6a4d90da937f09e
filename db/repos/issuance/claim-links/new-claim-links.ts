import {
  claimLinkAddressOf,
  claimLinkReferenceOf,
  type LinkSignIn,
  openClaimLink,
  sealClaimLink,
} from '../../../../shared/domain/issuance/claim-links.ts'
import { newTransactionCode } from '../../../../shared/domain/issuance/transaction-code.ts'
import { hashSecret, newOrderedId } from '../../../../shared/ids.ts'
import type { Secrets, SecretTenant } from '../../../../shared/secrets/secrets.ts'
import { preparedInsert } from '../../../engine/prepared.ts'
import { claimLinks } from '../../../tables/issuance/claim-links.ts'
import type { Claims } from '../../../tables/issuance/users.ts'
import type { ClaimLinkRow } from './claim-links.ts'

/** A link to make, for a row of a bulk issuance. The caller has checked that the claims can be signed. */
export interface NewClaimLink {
  bulkId: string
  row: number
  externalId?: string | null
  /** The label of the operator. The offers of the link get it. */
  label?: string | null
  /** An existing user. Absent: a user is created when the link is opened first. */
  userId?: string | null
  configurationIds: string[]
  claims: Claims
  /** If set, the wallet asks for a code, which is sent through another channel. */
  transactionCode?: { description?: string }
  /** If set, the person must sign in. There is then no transaction code. */
  signIn?: LinkSignIn
  expiresAt: Date
}

/** A link as its operator gets it. */
export interface MadeClaimLink {
  id: string
  bulkId: string
  row: number
  address: string
  transactionCode?: string
}

export interface ClaimLinkTenant extends SecretTenant {
  baseUrl: string
}

interface Making {
  secrets: Pick<Secrets, 'ofTenant' | 'seal'>
  at: Date
}

export interface LinkMaking extends Making {
  secrets: Pick<Secrets, 'ofTenant' | 'seal' | 'open'>
}

/** Inserts links. A row that has a link already keeps it. */
export const insertClaimLinks = preparedInsert('insert_claim_links', claimLinks, 'doNothing')

/** The columns that determine the address and the transaction code of a link. */
export type StoredClaimLink = Pick<
  ClaimLinkRow,
  'id' | 'bulkId' | 'row' | 'generation' | 'transactionCode' | 'sealedContent'
>

const { id, bulkId, row, generation, transactionCode, sealedContent } = claimLinks
export const storedColumns = { id, bulkId, row, generation, transactionCode, sealedContent }

/** Presents a link. The content of a collected link is removed, and with it the transaction code. */
export function presentClaimLink(
  tenant: ClaimLinkTenant,
  link: StoredClaimLink,
  { secrets }: LinkMaking,
): MadeClaimLink {
  const { id, bulkId, row, sealedContent } = link
  const address = claimLinkAddressOf(tenant.baseUrl, claimLinkReferenceOf(secrets.ofTenant(tenant), link))
  const isOpened = link.transactionCode !== null && sealedContent !== null
  const { transactionCode = undefined } = isOpened ? openClaimLink(secrets, id, sealedContent) : {}
  return { id, bulkId, row, address, ...(transactionCode !== undefined && { transactionCode }) }
}

/** Returns the row of a new link, with its secret and its sealed claims. */
export function newClaimLinkRow(tenant: SecretTenant, link: NewClaimLink, { secrets, at }: Making): ClaimLinkRow {
  const { bulkId, row, externalId = null, label = null, userId = null, configurationIds, claims, expiresAt } = link
  const id = newOrderedId(at)
  const signIn = link.signIn ?? null
  const content = { claims, ...(link.transactionCode && { transactionCode: newTransactionCode() }) }
  return {
    ...{ id, tenantId: tenant.id, bulkId, row, externalId, label, userId, configurationIds, expiresAt },
    state: 'open',
    generation: 0,
    secretHash: hashSecret(claimLinkReferenceOf(secrets.ofTenant(tenant), { id, generation: 0 })),
    sealedContent: sealClaimLink(secrets, { id, signIn }, content),
    transactionCode: link.transactionCode ?? null,
    signIn,
    wrongCodes: 0,
    ...{ offerId: null, createdAt: at, openedAt: null, endedAt: null },
  }
}
