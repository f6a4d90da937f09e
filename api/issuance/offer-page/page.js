// The page works without this script. The script updates the state of the offer and passes the offer to a wallet
// through the browser.
const main = document.querySelector('main')
const clock = document.querySelector('time[data-left]')
const link = document.querySelector('a[data-offer]')
const device = document.getElementById('device')
const everyMs = Number(main.dataset.every)
const mostQuestions = 400
const longestPauseMs = 60_000

let state = main.dataset.state
let questions = 0
let pauseMs = everyMs
let timer

/** Shows the block of a state. After the first state change, the offer is removed from the page. */
function show(next) {
  if (next === state) return
  state = next
  for (const each of document.querySelectorAll('[data-when]')) each.hidden = each.dataset.when !== next
  if (next !== 'offered') document.getElementById('offer')?.remove()
}

/** Shows a state. Loads the page again if its link has a newer offer. */
function see({ state: next, offer }) {
  if (offer && offer !== main.dataset.offer) location.reload()
  else show(next)
}

/**
 * Schedules the next poll. Stops if the page is hidden, after the maximum number of polls, or when the state is final.
 */
function plan(inMs) {
  clearTimeout(timer)
  const isOver = state !== 'offered' && state !== 'opened'
  if (!document.hidden && !isOver && questions < mostQuestions) timer = setTimeout(ask, inMs)
}

async function ask() {
  questions++
  try {
    const response = await fetch(`${location.pathname}/state`, { cache: 'no-store' })
    if (response.ok) see(await response.json())
    else if (response.status === 404) show('gone')
    pauseMs = response.ok ? everyMs : Math.min(pauseMs * 2, longestPauseMs)
  } catch {
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  plan(pauseMs)
}

document.addEventListener('visibilitychange', () => plan(0))
addEventListener('pageshow', (event) => event.persisted && plan(0))
plan(everyMs)

// The page has times in UTC, because the service does not know the reader's time zone.
const { lang } = document.documentElement
const locale = navigator.languages.find((each) => each.startsWith(lang)) ?? lang
const dateFormat = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
}
for (const each of document.querySelectorAll('time[data-local]'))
  each.textContent = new Date(each.dateTime).toLocaleString(locale, dateFormat)

if (clock) {
  // Uses the clock of the service, because the clock of this device may be wrong.
  const endsAt = performance.now() + Number(clock.dataset.left)
  const ticking = setInterval(() => {
    const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    if (left > 0 && clock.isConnected) return
    clearInterval(ticking)
    plan(500)
  }, 250)
}

// The code is for another device. On a phone, it is closed until a person opens it. A print always has it.
const phone = matchMedia('screen and (max-width: 40rem), screen and (pointer: coarse) and (max-height: 30rem)')
const fold = () => device?.toggleAttribute('open', !phone.matches)
phone.addEventListener('change', fold)
fold()

// Digital Credentials API (W3C): the browser finds a wallet that accepts the offer. If it finds none, the link opens one.
const { DigitalCredential } = globalThis
const isTaken = DigitalCredential?.userAgentAllowsProtocol?.('openid4vci-v1') ?? DigitalCredential !== undefined
let isTried = !isTaken || !navigator.credentials?.create
link?.addEventListener('click', async (event) => {
  if (isTried) return
  event.preventDefault()
  const request = { protocol: 'openid4vci-v1', data: JSON.parse(link.dataset.offer) }
  try {
    await navigator.credentials.create({ digital: { requests: [request] } })
    plan(0)
  } catch {
    isTried = true
    document.getElementById('refused').hidden = false
    link.click()
  }
})
