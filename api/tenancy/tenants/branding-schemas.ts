import { z } from 'zod'
import { AppUrl, ContactUrl, described, displays, Locale, LogoUrl, Name, named, WebUrl } from '../../http/fields.ts'

const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Must be a color like #1f4e79')

const BrandingTexts = named(
  'BrandingTexts',
  'Texts of the pages for holders in one language. A page shows its own text for each that is absent',
  z.object({
    locale: described(Locale, 'The language tag (RFC 5646)', 'en').exactOptional(),
    heading: described(
      z.string().trim().min(1).max(100),
      'The heading of the pages of offers and claim links',
      'Your student card',
    ).exactOptional(),
    advice: described(
      z.string().trim().min(1).max(500),
      'The text below the heading of these pages',
      'You can show the card at the library and in the canteen.',
    ).exactOptional(),
    contact: described(
      z.string().trim().min(1).max(200),
      'Where people get help, such as an office with its hours. It is shown before the link of `contact`',
      'Student office, weekdays from 9 to 12',
    ).exactOptional(),
  }),
)

export const TenantBranding = named(
  'TenantBranding',
  'The appearance of the issuer in wallets and on its pages',
  z.object({
    logoUrl: LogoUrl.optional().describe('The URL of the logo'),
    backgroundColor: Color.optional().describe('The background color of the logo, such as `#1f4e79`'),
    accentColor: described(Color, 'The color of buttons and links', '#1f4e79').optional(),
    contact: described(
      ContactUrl,
      'Where people get help. Pages for people show it',
      'mailto:help@example.org',
    ).optional(),
    offerUrl: described(
      AppUrl,
      'Where wallets receive the offers of the tenant: a scheme, such as `haip-vci://`, or an `https:` address that opens a wallet. ' +
        'The offer is added to the query. `uri` of offers, their pages and QR codes begin with it. If absent, it is `openid-credential-offer://`',
      'openid-credential-offer://',
    ).optional(),
    walletLinks: described(
      z
        .array(
          named(
            'WalletLink',
            'A wallet app',
            z.object({
              name: described(Name, 'The name of the app', 'Example Wallet'),
              url: described(WebUrl, 'Where people get the app', 'https://wallet.example/get'),
              offerUrl: described(
                AppUrl,
                'Where the app receives credential offers: an `https:` address that opens the app, or its scheme, such as `haip-vci://`. ' +
                  'The offer is added to the query. The offer page then has a button for the app',
                'https://wallet.example/offer',
              ).optional(),
            }),
          ),
        )
        .max(10),
      'Wallet apps that the pages of offers recommend to people without a wallet. At most 10',
    ).optional(),
    names: displays(
      named(
        'LocalizedName',
        'A name in one language',
        z.object({
          name: described(Name, 'The name in this language', 'Universität'),
          locale: described(Locale, 'The language tag (RFC 5646)', 'de'),
        }),
      ),
    )
      .optional()
      .describe('The name of the issuer in wallets, one for each language. Other languages use `name`'),
    texts: displays(BrandingTexts)
      .optional()
      .describe(
        'Texts of the pages for holders, one entry for each language. An entry without `locale` is for all other languages',
      ),
  }),
)
