export interface Row {
  what: string
  perSecond?: number
  perCpuSecond?: number
  p50?: number
  p95?: number
  p99?: number
  note?: string
}

export function printRows(rows: Row[]): void {
  const columns = ['', 'per second', 'per CPU s', 'p50 ms', 'p95 ms', 'p99 ms', '']
  console.log(line(columns))
  for (const { what, perSecond, perCpuSecond, p50, p95, p99, note = '' } of rows) {
    const whole = (value = Number.NaN) => (Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en'))
    const ms = (value?: number) => (value === undefined ? '' : value.toFixed(1))
    const isText = perSecond === undefined && p50 === undefined
    console.log(isText ? what : line([what, whole(perSecond), whole(perCpuSecond), ms(p50), ms(p95), ms(p99), note]))
  }
}

function line([what = '', ...cells]: string[]): string {
  const note = cells.pop() ?? ''
  return `${what.padEnd(40)}${cells.map((cell) => cell.padStart(11)).join('')}  ${note}`.trimEnd()
}
