import { useEffect, useRef, useState } from 'preact/hooks'
import { api, callApi } from '../../kit/api.ts'
import { colorOf, contrastOf, readableOn } from '../../kit/colors.ts'
import type { Profile } from '../../kit/configurations.ts'
import { isRecord, valueAt } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import type { Body } from './body.ts'
import { configurationTexts as own } from './texts.ts'

interface Look {
  name: string
  locale?: string | undefined
  description?: string | undefined
  logoUrl?: string | undefined
  backgroundColor?: string | undefined
  textColor?: string | undefined
}

const maxCards = 4

/** A preview of the credential in a wallet, once for each of the first languages. */
export function WalletCards({ profile, body }: { profile: Profile; body: Body }) {
  const looks = looksOf(profile, body)
  return (
    <div class="wallet-cards">
      {looks.slice(0, maxCards).map((look, index) => (
        <WalletCard key={index} {...look} />
      ))}
    </div>
  )
}

/** Without a display, uses the members of the profile, like the metadata of the issuer. */
function looksOf(profile: Profile, body: Body): Look[] {
  const displays = Array.isArray(body.display) ? body.display.filter(isRecord) : []
  if (displays.length > 0) {
    return displays.map((display) => {
      const text = (name: string) => textAt(display, name)
      const [backgroundColor, textColor] = [text('backgroundColor'), text('textColor')]
      const texts = { locale: text('locale'), description: text('description'), logoUrl: text('logoUrl') }
      return { name: text('name') ?? '', ...texts, backgroundColor, textColor }
    })
  }
  const text = (name: string) => textAt(body, name)
  const type = text('type') ?? ''
  if (profile === 'web-semantic') {
    const backgroundColor = text('credentialBranding.backgroundColor')
    const look = { description: text('description'), logoUrl: text('issuer.logoUrl'), backgroundColor }
    return [{ name: text('name') ?? '', ...look }]
  }
  if (profile === 'sd-jwt') return [{ name: text('name') ?? '', description: text('description') }]
  if (profile !== 'mobile') return [{ name: type }]
  const backgroundColor = text('branding.backgroundColor')
  const look = {
    description: text('branding.description'),
    logoUrl: text('branding.issuerLogo'),
    backgroundColor,
  }
  return [{ name: text('branding.name') ?? type, ...look }]
}

function textAt(body: Body, name: string): string | undefined {
  const value = valueAt(body, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function WalletCard({ name, locale, description, logoUrl, backgroundColor, textColor }: Look) {
  const card = useRef<HTMLDivElement>(null)
  const background = colorOf(backgroundColor)
  const chosenColor = colorOf(textColor)
  // WCAG 2.2, 1.4.3.
  const isHard = background !== undefined && chosenColor !== undefined && contrastOf(chosenColor, background) < 4.5
  const text = background && (chosenColor === undefined || isHard ? readableOn(background) : chosenColor)
  useEffect(() => {
    // Sets checked colours by script, because the page has no inline styles.
    card.current?.style.setProperty('background-color', background ?? '')
    card.current?.style.setProperty('color', text ?? '')
  }, [background, text])
  return (
    <figure>
      <div class="wallet-card" ref={card} lang={locale}>
        {logoUrl && <Logo url={logoUrl} />}
        <strong>{name || '…'}</strong>
        {description && <span>{description}</span>}
      </div>
      <figcaption class="soft">
        {locale ?? say(own.allLanguages)}
        {isHard && ` · ${say(own.hardToRead)}`}
      </figcaption>
    </figure>
  )
}

const typingMs = 500

/** The logo, served by this host, so that the browser calls no other host. */
function Logo({ url }: { url: string }) {
  const [image, setImage] = useState<{ address?: string | undefined; isMissing?: boolean }>({})
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(async () => {
      const { data } = await callApi(api.GET('/v2/credentials/logos', { params: { query: { url } } }))
      if (!isOver) setImage({ address: data?.address, isMissing: !data })
    }, typingMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [url])
  if (image.isMissing) return <small>{say(own.noLogo)}</small>
  if (!image.address) return <span class="logo" />
  return <img class="logo" src={image.address} alt="" onError={() => setImage({ isMissing: true })} />
}
