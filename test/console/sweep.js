// Runs in a page of the console before its own scripts. Types into each field of each form of an address and sends each
// form.

/** The number of pending responses of the service and of pending bodies, which arrive after their headers. */
let pending = 0
function count(owner, name) {
  const plain = owner[name]
  owner[name] = async function (...given) {
    pending++
    try {
      return await plain.apply(this, given)
    } finally {
      pending--
    }
  }
}
count(globalThis, 'fetch')
for (const { prototype } of [Request, Response])
  for (const name of ['arrayBuffer', 'blob', 'json', 'text']) count(prototype, name)

// Runs callbacks of animation frames and of timers without delay at once, because nothing is visible.
const wait = globalThis.setTimeout
const { port1, port2 } = new MessageChannel()
const next = []
port1.onmessage = () => next.shift()()
function soon(act) {
  next.push(act)
  port2.postMessage(undefined)
}
globalThis.requestAnimationFrame = (draw) => soon(() => draw(performance.now()))
globalThis.setTimeout = (act, ms, ...given) => (ms ? wait(act, ms, ...given) : soon(act))

// Leaves forms without confirmation, because the typed text is not needed.
globalThis.confirm = () => true
addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })

/** Elements that typed or stored markup became. */
const made = []
const foreign = 'img[src="x"], main script, dialog script'
new MutationObserver(() => {
  for (const element of document.querySelectorAll(foreign)) made.push(element.outerHTML)
}).observe(document, { childList: true, subtree: true })

const inMain = (selector) => [...document.querySelectorAll(`main ${selector}`)]
const isSeen = (element) => element.checkVisibility()
const textFields =
  'textarea, input:not([type]), input[type=text], input[type=search], input[type=url], input[type=password]'

async function waitUntilLoaded() {
  for (let quiet = 0; quiet < 8; quiet++) {
    await new Promise(soon)
    if (pending === 0 && document.querySelector('main h1') && !inMain('.loading').some(isSeen)) continue
    quiet = -1
    await new Promise((resolve) => wait(resolve, 2))
  }
}

async function go(address) {
  history.pushState(null, '', address)
  dispatchEvent(new PopStateEvent('popstate'))
  await waitUntilLoaded()
}

function type(field, text) {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
  set.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

const others = { number: '1', date: '2030-01-01', 'datetime-local': '2030-01-01T00:00' }

/**
 * Identifies a form by its path or the heading of its dialog, and by its labels. Ids and names of objects do not count.
 */
function nameOf(form) {
  const path = location.pathname.replaceAll(/[\da-f]{8}-[\w-]+/g, '')
  const heading = form.closest('dialog')?.querySelector('h2')?.textContent.replace(/^.*: /, '')
  const labels = [...form.querySelectorAll('label, legend')].map((each) => each.firstChild?.textContent)
  return [heading ?? path, ...labels.slice(0, 3)].join(' | ')
}

async function send(form, typed, found) {
  const name = nameOf(form)
  if (found.has(name)) return
  // A form that only asks for confirmation has no class and does not count.
  found.set(name, form.className !== '')
  const fields = [...form.querySelectorAll(textFields)].filter((each) => isSeen(each) && !each.disabled)
  // Dangerous forms require a typed word. They receive wrong text, so that nothing is deleted.
  const text = form.querySelector('.danger[type=submit]') ? `${typed}!` : typed
  for (const each of fields) type(each, text)
  for (const each of form.querySelectorAll('input')) if (others[each.type]) type(each, others[each.type])
  await submit(form)
  // An invalid field prevents sending the others. The second attempt leaves it empty.
  const wrong = fields.filter((each) => each.isConnected && each.getAttribute('aria-invalid'))
  for (const each of wrong) type(each, '')
  if (wrong.length > 0) await submit(form)
}

async function submit(form) {
  await waitUntilLoaded()
  if (!form.isConnected || form.querySelector('[type=submit]')?.disabled) return
  form.requestSubmit()
  await waitUntilLoaded()
}

async function sendAll(typed, found) {
  for (const each of inMain('details')) each.open = true
  await waitUntilLoaded()
  for (const form of document.querySelectorAll('main form')) if (form.isConnected) await send(form, typed, found)
}

/** The buttons to press, also those in menus of rows. Buttons of a heading count only on the first tab, and copy buttons do not count. */
function pressable() {
  const ofHeading = /[?&]tab=/.test(location.search) ? 'main > header *' : 'none'
  const buttons = inMain(`button[type=button]:not(.copy, [aria-haspopup], dialog *, ${ofHeading})`)
  return buttons.filter((each) => (isSeen(each) || each.closest('.row-menu')) && !each.disabled)
}

/**
 * Fills in all forms and presses all buttons of an address. Returns the forms, the links below the address, and whether
 * the page showed `stored`.
 */
globalThis.sweep = async (address, typed, stored) => {
  const found = new Map()
  const showsIt = () => document.querySelector('main').textContent.includes(stored)
  await go(address)
  let isShown = showsIt()
  const own = `${new URL(address, location.origin).pathname}?`
  const ways = inMain('a').map((each) => each.getAttribute('href') ?? '')
  await sendAll(typed, found)
  const pressed = new Set()
  for (;;) {
    if (location.pathname + location.search !== address) await go(address)
    const button = pressable().find((each) => !pressed.has(each.textContent))
    if (!button) break
    pressed.add(button.textContent)
    button.closest('.row-menu')?.querySelector('[aria-haspopup]').click()
    button.click()
    await waitUntilLoaded()
    isShown ||= showsIt()
    await sendAll(typed, found)
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close()
    await waitUntilLoaded()
  }
  const forms = [...found].filter(([, isForm]) => isForm).map(([name]) => name)
  return { forms, ways: ways.filter((href) => href.startsWith(own)), isShown, made: made.splice(0) }
}
