import { readFileSync } from 'node:fs'
import { register } from 'prom-client'
import { expect, test } from 'vitest'
import '../../api/app.ts'
import '../../shared/metrics/key-providers.ts'
import '../../shared/metrics/process.ts'
import '../../workers/start.ts'
import '../../workers/signing/create-signing-deps.ts'
import { serviceMetricsRegistry } from '../../workers/service-metrics/registry.ts'
import { createServiceMetrics } from '../../workers/service-metrics/service-metrics.ts'

const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| `(trustwright_\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, name = '', kind = '', text = '']) => {
    return { name, kind, text }
  },
)

test('docs/metrics.md has one row for each metric with its labels and its source', async () => {
  expect(createServiceMetrics).toBeDefined()
  const own = register.getMetricsAsArray().filter(({ name }) => name.startsWith('trustwright_'))
  const ofService = serviceMetricsRegistry.getMetricsAsArray()
  const all = [...own, ...ofService]
  expect(rows.map(({ name }) => name).sort()).toEqual(all.map(({ name }) => name).sort())
  expect(
    rows
      .filter(({ kind }) => kind === 'service')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(ofService.map(({ name }) => name).sort())
  for (const { name, ...metric } of all) {
    const { text = '' } = rows.find((row) => row.name === name) ?? {}
    // Boundary: the types of prom-client do not have this member.
    const { labelNames = [] } = metric as { labelNames?: string[] }
    expect([name, labelNames.filter((label) => !text.includes(`\`${label}\``))]).toEqual([name, []])
  }
})

test('metric names follow Prometheus: counters end in _total, and times are in seconds', () => {
  for (const metric of [...register.getMetricsAsArray(), ...serviceMetricsRegistry.getMetricsAsArray()]) {
    const { name, type } = metric as unknown as { name: string; type: string }
    if (!name.startsWith('trustwright_')) continue
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    expect(name).not.toMatch(/_(ms|millis|milliseconds|minutes|kb)(_|$)/)
    if (type === 'histogram') expect(name).toMatch(/_seconds$/)
  }
})
