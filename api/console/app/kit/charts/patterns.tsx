/** The lines of each pattern in a square of 6 pixels. The first one is solid. Patterns tell series apart without their colours. */
const lines = ['', 'M-1 1 1-1M0 6 6 0M5 7 7 5', 'M1.5 0V6M4.5 0V6', 'M0 1.5H6M0 4.5H6', 'M0 0 6 6M0 6 6 0', 'M3 2V4']

/** The position of a pattern, and of its colour in `charts.css`: accent, bad, soft, warn, good, text. */
export type Tone = 0 | 1 | 2 | 3 | 4 | 5

/** The fills of the tones. `id` is unique in the page. */
export function Patterns({ id }: { id: string }) {
  return (
    <defs>
      {lines.map((path, place) => (
        <pattern key={path} id={`${id}-${place}`} width={6} height={6} patternUnits="userSpaceOnUse">
          <rect width={6} height={6} class={path ? `faint s${place}` : `s${place}`} />
          <path d={path} class={`s${place}`} />
        </pattern>
      ))}
    </defs>
  )
}

export function fillOf(id: string, tone: Tone): string {
  return `url(#${id}-${tone})`
}
