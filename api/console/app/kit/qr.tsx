import { encode } from 'uqr'

/** The width of the border in modules. Readers require it (ISO/IEC 18004, section 6.3.8). */
const quietZone = 4

/** A text as a QR code in one path. It is dark on white in every theme. */
export function Qr({ text, label }: { text: string; label: string }) {
  const rows = modulesOf(text)
  const size = rows.length
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={rows.map(pathOf).join('')} />
    </svg>
  )
}

/** Skips version 23, because jsQR, a library that many readers use, cannot read it (its issue 251). */
function modulesOf(text: string): boolean[][] {
  const code = (minVersion: number) => encode(text, { ecc: 'L', boostEcc: true, border: quietZone, minVersion })
  const smallest = code(1)
  return (smallest.version === 23 ? code(24) : smallest).data
}

function pathOf(row: boolean[], y: number): string {
  return row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')
}
