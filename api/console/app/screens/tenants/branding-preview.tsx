import { useEffect, useRef } from 'preact/hooks'
import { say } from '../../kit/language.ts'
import { settingTexts } from './texts.ts'
import './tenants.css'

const color = /^#[\da-f]{6}$/i

/** A preview of the branding: logo and name on the background, and a button. `logo` is a path of this host. */
export function BrandingPreview(props: {
  name: string
  background: string | undefined
  accent: string | undefined
  logo?: string | undefined
  /** The text in place of a logo that cannot be shown. */
  note?: string | undefined
}) {
  const { name, background, accent, logo, note } = props
  return (
    <figure class="branding">
      <figcaption class="soft">{say(settingTexts.preview)}</figcaption>
      <div class="page">
        <Painted of={background} class="issuer">
          {logo && <img src={logo} alt="" />}
          <strong>{name}</strong>
        </Painted>
        <div class="below">
          <Painted of={accent} class="sample">
            {say(settingTexts.previewButton)}
          </Painted>
        </div>
      </div>
      {note && <small class="soft">{note}</small>}
    </figure>
  )
}

/** Sets colours by script, and only valid ones. */
function Painted(props: { of: string | undefined; class: string; children: preact.ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  const colorText = props.of?.trim() ?? ''
  useEffect(() => {
    const { style } = element.current ?? {}
    const isColor = color.test(colorText)
    style?.setProperty('background-color', isColor ? colorText : '')
    style?.setProperty('color', isColor ? textOn(colorText) : '')
  }, [colorText])
  return (
    <div ref={element} class={props.class}>
      {props.children}
    </div>
  )
}

/** Returns black or white, whichever has more contrast to the background (WCAG 2.2, relative luminance). */
function textOn(background: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(background.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}
