// Creates a user of the demo tenant and lists its users: npx node examples/client.ts
import { readFileSync } from 'node:fs'
// In another project: from 'trustwright/client'
import { createTrustwright, dataOf, itemsOf } from '../shared/client/client.ts'

const { baseUrl, clientId, clientSecret } = JSON.parse(readFileSync('.data/demo.json', 'utf8'))
const trustwright = createTrustwright({ baseUrl, clientId, clientSecret })

const created = await dataOf(trustwright.POST('/v1/users', { body: { claims: { given_name: 'Ada' } } }))
for await (const { id } of itemsOf((query) => trustwright.GET('/v1/users', { params: { query } })))
  console.log(JSON.stringify({ userId: id, isNew: id === created.id }))
