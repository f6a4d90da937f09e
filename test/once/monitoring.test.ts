import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const alertsFile = join(root, 'docs/deploy/prometheus/alerts.yaml')
const page = read('docs/metrics.md')
const metrics = [...page.matchAll(/^\| `(trustwright_\w+)` \|/gm)].map(([, name = '']) => name)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trustwright-monitoring-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs promtool on a file. JSON is YAML too. Throws with the output of promtool if it finds a fault. */
function promtool(words: string[], content: object): void {
  const path = join(folder, 'rules.yaml')
  writeFileSync(path, JSON.stringify(content))
  const { status, stdout, stderr } = spawnSync('promtool', [...words, path], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
}

/** A metric in PromQL also has the names of its parts if it is a histogram. */
function metricsOf(expression: string): string[] {
  const names = expression.match(/trustwright_\w+/g) ?? []
  return names.map((name) => (metrics.includes(name) ? name : name.replace(/_(bucket|count|sum)$/, '')))
}

describe('alerts', () => {
  const alerts = [...readFileSync(alertsFile, 'utf8').matchAll(/- alert: (\w+)\n +expr: (.*)\n/g)].map(
    ([, name = '', expression = '']) => ({ name, expression }),
  )

  /** A healthy service: series by name with the value of each minute, in the notation of promtool. */
  const healthy = {
    'up{job="trustwright",instance="web"}': '1x100',
    'trustwright_ready{instance="web"}': '1x100',
    'trustwright_queue_jobs{queue="signing",state="waiting"}': '3x100',
    'trustwright_clock_ahead_seconds{instance="web"}': '-30x100',
    'trustwright_redis_setting_ok{instance="web",setting="persistence"}': '1x100',
    'trustwright_database_connection_waits{instance="web",pool="reads"}': '0x100',
    'trustwright_database_read_lag_seconds{instance="web"}': '30x100',
    'trustwright_http_request_duration_seconds_count{status="200"}': '0+1000x100',
    'trustwright_http_request_duration_seconds_count{status="503"}': '0+9x100',
    'trustwright_http_requests_waiting{instance="web"}': '0x100',
    'trustwright_key_provider_up{instance="signing",provider="pkcs11"}': '1x100',
    'trustwright_missing_private_keys{provider="pkcs11"}': '0x100',
    trustwright_outbox_oldest_seconds: '60x100',
    'trustwright_expired_oldest_seconds{table="events"}': '3600x100',
    'trustwright_webhook_deliveries_total{outcome="failed"}': '7x100',
    trustwright_status_oldest_unpublished_seconds: '60x100',
    'trustwright_published_valid_seconds{kind="vical"}': '0x100',
    'trustwright_status_lists_ending{kind="compact"}': '0x100',
    'trustwright_certificates_ending{kind="iaca"}': '0x100',
    trustwright_crls_due: '0x100',
    'trustwright_trusted_lists_due{kind="vical"}': '0x100',
    'trustwright_trusted_lists_failing{kind="vical"}': '0x100',
    'trustwright_trusted_lists_ending{kind="vical"}': '0x100',
    trustwright_integrations_oldest_good_seconds: '172800x100',
  }
  type Series = keyof typeof healthy

  /** The series that makes an alert fire, its values, how long the alert waits, and the labels of the alert. */
  interface Fault {
    series: Series
    values: string
    waits: string
    labels?: Record<string, string>
  }
  const web = { instance: 'web' }
  const vical = { kind: 'vical' }
  const faults: Record<string, Fault> = {
    ProcessDown: {
      series: 'up{job="trustwright",instance="web"}',
      values: '0x100',
      waits: '2m',
      labels: { ...web, job: 'trustwright' },
    },
    NotReady: { series: 'trustwright_ready{instance="web"}', values: '0x100', waits: '2m', labels: web },
    ServiceMetricsMissing: {
      series: 'trustwright_queue_jobs{queue="signing",state="waiting"}',
      values: '_x100',
      waits: '5m',
    },
    ClocksDiffer: {
      series: 'trustwright_clock_ahead_seconds{instance="web"}',
      values: '-31x100',
      waits: '5m',
      labels: web,
    },
    RedisSettingUnsafe: {
      series: 'trustwright_redis_setting_ok{instance="web",setting="persistence"}',
      values: '0x100',
      waits: '5m',
      labels: { setting: 'persistence' },
    },
    DatabaseConnectionsShort: {
      series: 'trustwright_database_connection_waits{instance="web",pool="reads"}',
      values: '1x100',
      waits: '10m',
      labels: { ...web, pool: 'reads' },
    },
    StandbyBehind: {
      series: 'trustwright_database_read_lag_seconds{instance="web"}',
      values: '31x100',
      waits: '10m',
      labels: web,
    },
    KeyProviderDown: {
      series: 'trustwright_key_provider_up{instance="signing",provider="pkcs11"}',
      values: '0x100',
      waits: '1m',
      labels: { instance: 'signing', provider: 'pkcs11' },
    },
    PrivateKeysMissing: {
      series: 'trustwright_missing_private_keys{provider="pkcs11"}',
      values: '1x100',
      waits: '1m',
      labels: { provider: 'pkcs11' },
    },
    ServerErrors: {
      series: 'trustwright_http_request_duration_seconds_count{status="503"}',
      values: '0+11x100',
      waits: '5m',
    },
    RequestsWait: {
      series: 'trustwright_http_requests_waiting{instance="web"}',
      values: '1x100',
      waits: '10m',
      labels: web,
    },
    OutboxWaits: { series: 'trustwright_outbox_oldest_seconds', values: '61x100', waits: '1m' },
    PurgeBehind: {
      series: 'trustwright_expired_oldest_seconds{table="events"}',
      values: '3601x100',
      waits: '15m',
      labels: { table: 'events' },
    },
    WebhooksFail: {
      series: 'trustwright_webhook_deliveries_total{outcome="failed"}',
      values: '7x75 8x25',
      waits: '0m',
    },
    StatusUnpublished: { series: 'trustwright_status_oldest_unpublished_seconds', values: '61x100', waits: '1m' },
    PublishedDocumentEnded: {
      series: 'trustwright_published_valid_seconds{kind="vical"}',
      values: '-1x100',
      waits: '2m',
      labels: vical,
    },
    StatusListsEnd: {
      series: 'trustwright_status_lists_ending{kind="compact"}',
      values: '1x100',
      waits: '15m',
      labels: { kind: 'compact' },
    },
    CertificatesEnd: {
      series: 'trustwright_certificates_ending{kind="iaca"}',
      values: '1x100',
      waits: '15m',
      labels: { kind: 'iaca' },
    },
    CrlsDue: { series: 'trustwright_crls_due', values: '1x100', waits: '5m' },
    TrustedListsDue: {
      series: 'trustwright_trusted_lists_due{kind="vical"}',
      values: '1x100',
      waits: '60m',
      labels: vical,
    },
    TrustedListsFail: {
      series: 'trustwright_trusted_lists_failing{kind="vical"}',
      values: '1x100',
      waits: '15m',
      labels: vical,
    },
    TrustedListsEnd: {
      series: 'trustwright_trusted_lists_ending{kind="vical"}',
      values: '1x100',
      waits: '15m',
      labels: vical,
    },
    ExternalListOld: { series: 'trustwright_integrations_oldest_good_seconds', values: '172801x100', waits: '15m' },
  }

  /** The alerts that fire at a time, as a test of promtool. */
  const firing = (at: string, expected: string[]) => ({
    expr: 'ALERTS{alertstate="firing"}',
    eval_time: at,
    exp_samples: expected.map((labels) => ({ labels, value: 1 })),
  })
  const promtoolTest = (name: string, series: Record<string, string>, expectations: object[]) => ({
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([each, values]) => ({ series: each, values })),
    promql_expr_test: expectations,
  })
  const severities = new Map(
    [...readFileSync(alertsFile, 'utf8').matchAll(/- alert: (\w+)[\s\S]*?severity: (\w+)/g)].map(
      ([, name = '', severity = '']) => [name, severity],
    ),
  )

  test('docs/metrics.md has one row for each alert with its severity, and each alert is tested', () => {
    const documented = [...page.matchAll(/^\| `(Trustwright\w+)` \| (\w+) \|/gm)].map(([, name, severity]) => [
      name,
      severity,
    ])
    expect(documented).toEqual([...severities])
    expect(alerts.map(({ name }) => name)).toEqual(Object.keys(faults).map((name) => `Trustwright${name}`))
    for (const { name, expression } of alerts)
      expect([name, metricsOf(expression).filter((each) => !metrics.includes(each))]).toEqual([name, []])
  })

  test('promtool accepts the rules and the configuration', { tags: 'promtool' }, () => {
    execFileSync('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', alertsFile])
    execFileSync('promtool', ['check', 'config', join(root, 'docs/deploy/prometheus/prometheus.yaml')])
  })

  test('no alert fires for a healthy service, and each fires alone at its threshold', { tags: 'promtool' }, () => {
    const tests = Object.entries(faults).map(([alert, { series, values, waits, labels = {} }]) => {
      const name = `Trustwright${alert}`
      const all = Object.entries({ ...labels, alertname: name, alertstate: 'firing', severity: severities.get(name) })
      const fired = `ALERTS{${all.map(([label, value]) => `${label}="${value}"`).join(',')}}`
      // The failed delivery occurs after 75 minutes.
      const lastWithout = waits === '0m' ? '74m' : `${Number.parseInt(waits, 10) - 1}m`
      return promtoolTest(alert, { ...healthy, [series]: values }, [firing(lastWithout, []), firing('90m', [fired])])
    })
    const noAlert = promtoolTest('healthy', healthy, [firing('90m', [])])
    promtool(['test', 'rules'], { rule_files: [alertsFile], evaluation_interval: '1m', tests: [noAlert, ...tests] })
  })
})

describe('dashboards', () => {
  const files = globSync('docs/deploy/grafana/*.json', { cwd: root }).sort()
  interface Panel {
    type: string
    title: string
    description?: string
    gridPos: { x: number; y: number; w: number; h: number }
    targets?: { expr: string }[]
  }
  const dashboards = files.map((file) => ({
    file,
    ...(JSON.parse(read(file)) as { uid: string; title: string; panels: Panel[] }),
  }))
  const panels = dashboards.flatMap(({ file, panels: all }) => all.map((panel) => ({ file, ...panel })))
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

  test('each panel has a title and a description, and no two panels of a dashboard overlap', () => {
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(4)
    for (const { file, type, title, description } of panels) {
      expect([file, title !== '']).toEqual([file, true])
      if (type !== 'row') expect([file, title, (description ?? '') !== '']).toEqual([file, title, true])
    }
    for (const { file, panels: all } of dashboards) {
      const cells = all.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
      )
      expect([file, cells.length - new Set(cells).size]).toEqual([file, 0])
    }
  })

  test('the dashboards show every metric of docs/metrics.md, and no other', () => {
    const metricNames = new Set(expressions.flatMap(metricsOf))
    expect([...metricNames].sort()).toEqual([...metrics].sort())
  })

  test('Prometheus can read each expression', { tags: 'promtool' }, () => {
    const rules = expressions.map((expr, at) => ({
      record: `panel:${at}`,
      expr: expr.replaceAll(/\$__(rate_interval|range)/g, '5m').replaceAll('$tenant', '.*'),
    }))
    promtool(['check', 'rules'], { groups: [{ name: 'panels', rules }] })
  })
})
