import { partOf } from '/docs/part.js'
import { fill, learnValues, withoutOptionalExamples } from '/docs/prefill.js'

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

/** The token of the last login at the page. Without one, the session of the console is used, if there is one. */
let authorization
/** Whether a person is signed in to the console in this browser. */
let hasSession = false

/** Sends a GET. `poll` keeps the session of the console from being extended. */
async function read(path) {
  const headers = authorization ? { authorization } : { 'X-Console': 'poll' }
  // Without an answer, the examples keep their own ids.
  const response = await fetch(path, { headers }).catch(() => undefined)
  return response?.ok ? response.json() : undefined
}

const reference = withoutOptionalExamples(await (await fetch('/openapi.json')).json())

// People compare it with the version that they installed. The description has the version of the interface.
reference.info.version = reference.info['x-product-version']

/** Fills the shown reference with the ids of the tenant, if a person or a client is signed in. */
async function fillReference() {
  const signedIn = await read('/console/session')
  hasSession = signedIn !== undefined && authorization === undefined
  if (!signedIn) return
  const tenantData = await learnValues(reference, read, signedIn)
  ui.specActions.updateJsonSpec(fill(reference, tenantData))
  const note = `Signed in as ${signedIn.name} (${signedIn.tenantName}). The examples have ids of this tenant.`
  document.getElementById('filled').textContent = note
}

/** A plugin of Swagger UI that resolves the references of a part of the document. */
function resolveParts(system) {
  const { resolveSubtree } = SwaggerUIBundle.plugins.SwaggerClient(system).fn
  return { fn: { resolveSubtree: (spec, path, options) => resolveSubtree(partOf(spec, path), path, options) } }
}

const ui = SwaggerUIBundle({
  spec: reference,
  dom_id: '#reference',
  plugins: [resolveParts],
  // The badge would send the document to a service on the internet.
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: false,
  syntaxHighlight: { activated: true, theme: 'agate' },
  requestInterceptor(request) {
    const hasToken = Object.keys(request.headers).some((name) => name.toLowerCase() === 'authorization')
    if (hasSession && !hasToken) request.headers['X-Console'] ??= '1'
    return request
  },
  async responseInterceptor(response) {
    const isToken = response.ok && new URL(response.url, location.href).pathname === '/oauth/token'
    const token = isToken && JSON.parse(response.text).access_token
    if (token) {
      authorization = `Bearer ${token}`
      await fillReference()
    }
    return response
  },
})
globalThis.ui = ui
// The ids of a tenant take many requests, so the reference is shown before.
await fillReference()
