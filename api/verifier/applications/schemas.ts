import { z } from 'zod'
import { AppUrl, Color, described, idOf, LogoUrl, Name, named, WebUrl, withoutExample } from '../../http/fields.ts'

const name = described(Name, 'The name of the application. Operators read it', 'Shop')

const Domain = z
  .string()
  .max(253)
  .regex(
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'Must be a domain in lower case without a scheme, a port or a path',
  )

const display = named(
  'VerifierDisplay',
  'How the page of a request looks',
  z.object({
    name: withoutExample(Name).exactOptional().describe('The name of the verifier. Default: the name of the tenant'),
    logoUrl: withoutExample(LogoUrl).exactOptional().describe('The logo. Default: the logo of the tenant'),
    backgroundColor: withoutExample(Color).exactOptional().describe('The background. Default: that of the tenant'),
  }),
)
  .exactOptional()
  .describe('How the page of a request looks')

const supportedModes = named(
  'PresentationModes',
  'On which devices a wallet can answer',
  z.enum(['all', 'sameDevice', 'crossDevice']),
)
  .default('all')
  .describe('Whether the wallet is on the device of the page, on another device, or both')

/** The web form accepts `https:` only. */
const openid4vpOf = <Url extends z.ZodType<string>>(title: string, url: Url, example: z.input<Url>) =>
  named(
    title,
    'Requests over OpenID4VP',
    z.object({
      redirectUris: described(
        z.array(url).max(20).default([]),
        'Where people return after an answer on the same device. At most 20',
        [example],
      ),
      supportedModes,
      display,
    }),
  )
    .exactOptional()
    .describe('Requests over OpenID4VP. Absent: the application sends none')

const common = {
  name,
  dcApiConfiguration: named(
    'DcApiConfiguration',
    'Requests over the Digital Credentials API',
    z.object({ enabled: z.boolean().describe('Whether the application uses this API of browsers') }),
  )
    .exactOptional()
    .describe('Requests over the Digital Credentials API'),
  resultAvailableInFrontChannel: z
    .boolean()
    .default(false)
    .describe('Whether the page of the application can read the claims. Otherwise only your server reads them'),
}

const web = {
  type: z.literal('web').describe('A website'),
  ...common,
  domain: described(Domain, 'The domain of the website', 'shop.example.org'),
  additionalDomains: described(z.array(Domain).max(20).default([]), 'Further domains of it, at most 20', [
    'www.shop.example.org',
  ]),
  openid4vpConfiguration: openid4vpOf('WebOpenid4vp', WebUrl, 'https://shop.example.org/verified'),
}

const ios = {
  type: z.literal('ios').describe('An app for iOS'),
  ...common,
  bundleId: described(
    z
      .string()
      .max(155)
      .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'Must be a bundle identifier, such as com.example.shop'),
    'The bundle identifier of the app',
    'com.example.shop',
  ),
  teamId: described(
    z.string().regex(/^[A-Z0-9]{10}$/, 'Must be 10 capital letters and digits'),
    'The Apple team identifier of the app',
    'A1B2C3D4E5',
  ),
  openid4vpConfiguration: openid4vpOf('AppOpenid4vp', AppUrl, 'com.example.shop://verified'),
}

const android = {
  type: z.literal('android').describe('An app for Android'),
  ...common,
  packageName: described(
    z
      .string()
      .max(255)
      .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, 'Must be the name of a package, such as com.example.shop'),
    'The package name of the app',
    'com.example.shop',
  ),
  packageSigningCertificateThumbprints: described(
    z
      .array(z.string().regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 hash in lower-case hex'))
      .min(1)
      .max(20),
    'The SHA-256 hashes of the signing certificates of the app, in lower-case hex. From 1 to 20',
    ['3f9ab0c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c8d'],
  ),
  openid4vpConfiguration: ios.openid4vpConfiguration,
}

const id = idOf('verifier application')

export const VerifierApplication = z
  .discriminatedUnion(
    'type',
    [
      named('NewVerifierWebsite', 'A website', z.object(web)),
      named('NewVerifierIosApp', 'An app for iOS', z.object(ios)),
      named('NewVerifierAndroidApp', 'An app for Android', z.object(android)),
    ],
    { error: 'Must be one of web, ios, android' },
  )
  .superRefine((application, ctx) => {
    if (application.type !== 'web') return
    const domains = [application.domain, ...application.additionalDomains]
    for (const [index, url] of (application.openid4vpConfiguration?.redirectUris ?? []).entries()) {
      if (URL.canParse(url) && domains.includes(new URL(url).hostname)) continue
      const path = ['openid4vpConfiguration', 'redirectUris', index]
      ctx.addIssue({ code: 'custom', path, message: 'Must be at the domain or at one of additionalDomains' })
    }
  })

export const VerifierApplicationView = z.discriminatedUnion('type', [
  named('VerifierWebsite', 'A website', z.object({ id, ...web })),
  named('VerifierIosApp', 'An app for iOS', z.object({ id, ...ios })),
  named('VerifierAndroidApp', 'An app for Android', z.object({ id, ...android })),
])
