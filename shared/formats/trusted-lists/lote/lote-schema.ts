import { z } from 'zod'

/**
 * The members of a list of trusted entities (ETSI TS 119 602, clause 6). Unknown members are ignored, as the standard requires.
 */
const Text = z.object({ lang: z.string().min(1), value: z.string().min(1) })
const Uri = z.object({ lang: z.string().min(1), uriValue: z.url() })
const PostalAddress = z.object({
  lang: z.string().min(1),
  StreetAddress: z.string(),
  Locality: z.string(),
  StateOrProvince: z.string().optional(),
  PostalCode: z.string(),
  Country: z.string().length(2),
})

const DigitalIdentity = z
  .object({
    X509Certificates: z
      .array(
        z.object({
          encoding: z.literal('urn:ietf:params:tls-cert-type:x509').optional(),
          specRef: z.literal('RFC5280').optional(),
          val: z.string().min(1),
        }),
      )
      .optional(),
    X509SubjectNames: z.array(z.string()).optional(),
    PublicKeyValues: z.array(z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) })).optional(),
    X509SKIs: z.array(z.string()).optional(),
    OtherIds: z.array(z.string()).optional(),
  })
  .refine((identity) => Object.values(identity).some((each) => (each?.length ?? 0) > 0), {
    message: 'Must have one identity',
  })

const Service = z.object({
  ServiceInformation: z.object({
    ServiceName: z.array(Text).min(1),
    ServiceDigitalIdentity: DigitalIdentity,
    ServiceTypeIdentifier: z.url().optional(),
    ServiceStatus: z.url().optional(),
    StatusStartingTime: z.iso.datetime().optional(),
  }),
})

const Entity = z.object({
  TrustedEntityInformation: z.object({
    TEName: z.array(Text).min(1),
    TETradeName: z.array(Text).optional(),
    TEAddress: z.object({ TEPostalAddress: z.array(PostalAddress), TEElectronicAddress: z.array(Uri) }),
    TEInformationURI: z.array(Uri).optional(),
  }),
  TrustedEntityServices: z.array(Service).min(1),
})

const Scheme = z.object({
  LoTEVersionIdentifier: z.int(),
  LoTESequenceNumber: z.int().min(1),
  LoTEType: z.url().optional(),
  SchemeOperatorName: z.array(Text).min(1),
  SchemeOperatorAddress: z
    .object({ SchemeOperatorPostalAddress: z.array(PostalAddress), SchemeOperatorElectronicAddress: z.array(Uri) })
    .optional(),
  SchemeName: z.array(Text).optional(),
  SchemeInformationURI: z.array(Uri).optional(),
  StatusDeterminationApproach: z.url().optional(),
  SchemeTypeCommunityRules: z.array(Uri).optional(),
  SchemeTerritory: z.string().length(2).optional(),
  PolicyOrLegalNotice: z.array(z.object({ LoTEPolicy: Uri.optional(), LoTELegalNotice: Text.optional() })).optional(),
  HistoricalInformationPeriod: z.number().optional(),
  PointersToOtherLoTE: z.array(z.unknown()).optional(),
  ListIssueDateTime: z.iso.datetime(),
  NextUpdate: z.iso.datetime(),
})

export const LoteDocument = z.object({
  LoTE: z.object({ ListAndSchemeInformation: Scheme, TrustedEntitiesList: z.array(Entity) }),
})

export type Lote = z.output<typeof LoteDocument>['LoTE']
export type LoteEntity = z.output<typeof Entity>
export type LoteScheme = z.output<typeof Scheme>
