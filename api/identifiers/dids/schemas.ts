import { z } from 'zod'
import { isPublicDomain } from './domain.ts'

/** A DID as such, without path, query or fragment (DID core, section 3.1). */
export const Did = z
  .string()
  .max(400)
  .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/, 'Must be a DID')

const NewDidKey = z.object({
  method: z.literal('key'),
  options: z.object({ keyType: z.enum(['Ed25519', 'Bls12381G2']).default('Ed25519') }).default({ keyType: 'Ed25519' }),
})

const NewDidWeb = z.object({
  method: z.literal('web'),
  options: z.object({
    url: z
      .string()
      .max(259)
      .transform((domain) => domain.toLowerCase())
      .refine(isPublicDomain, 'Must be a domain, without a scheme or a path')
      .describe('The domain at whose `/.well-known/did.json` you publish the document'),
  }),
})

export const NewDid = z.discriminatedUnion('method', [NewDidKey, NewDidWeb])

export const DidView = z.object({
  did: z.string(),
  registrationStatus: z.literal('COMPLETED'),
  localMetadata: z.object({
    keys: z.array(
      z.object({
        didDocumentKeyId: z.string().describe('The DID URL of a key of the document'),
        kmsKeyId: z.string(),
      }),
    ),
    registered: z.int().describe('Milliseconds since 1970'),
    initialDidDocument: z.looseObject({ id: z.string() }),
  }),
})

const DomainLinkageCredential = z.looseObject({
  '@context': z.array(z.string()),
  type: z.array(z.string()),
  issuer: z.string(),
  issuanceDate: z.string(),
  expirationDate: z.string(),
  credentialSubject: z.object({ id: z.string(), origin: z.string() }),
  proof: z.looseObject({ type: z.string() }),
})

export const DidConfigurationEntries = z.object({ entries: z.array(DomainLinkageCredential) })

export const DidConfiguration = z.object({ '@context': z.string(), linked_dids: z.array(DomainLinkageCredential) })
