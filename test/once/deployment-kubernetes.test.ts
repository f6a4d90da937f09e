import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  kubernetesFolder,
  type Manifest,
  parseManifests,
  podOf,
  readDeployFile,
  readKubernetes,
  readManifests,
  readProcfile,
} from '../harness/deployments.ts'

const render = (overlay: string) =>
  spawnSync('kubectl', ['kustomize', join(kubernetesFolder, 'overlays', overlay)], { encoding: 'utf8' })

const forms = [
  { queueIn: 'database', overlay: 'example' },
  { queueIn: 'redis', overlay: 'example-redis' },
] as const
const sets = forms.flatMap(({ queueIn, overlay }) => {
  const { status, stdout } = render(overlay)
  const rendered = { objects: 'the rendered example', queueIn, manifests: parseManifests(stdout ?? '') }
  return [{ objects: 'the base', queueIn, manifests: readManifests(queueIn) }, ...(status === 0 ? [rendered] : [])]
})

const labelsOf = (name: string) => ({ 'app.kubernetes.io/name': 'trustwright', 'app.kubernetes.io/component': name })
const keySecret = 'trustwright-key-encryption-key'

test.each(forms)(
  'kubectl renders $overlay: all objects are in its namespace, with its image and settings',
  {
    tags: 'kubectl',
  },
  ({ queueIn, overlay }) => {
    const { stdout, stderr } = render(overlay)
    expect(stderr).toBe('')
    const objects = parseManifests(stdout)
    const base = readManifests(queueIn)
    const kinds = (of: Manifest[]) => of.map(({ kind }) => kind).sort()
    expect(kinds(objects)).toEqual([...kinds(base), 'Ingress', 'Namespace'].sort())
    const own = objects.filter(({ kind }) => kind !== 'Namespace')
    expect(own.filter(({ metadata }) => metadata.namespace !== 'trustwright')).toEqual([])
    const images = own.filter(({ spec }) => spec?.template).map((each) => podOf(each).containers[0].image)
    expect(new Set(images)).toEqual(new Set(['registry.example.org/trustwright:0.1.0']))
    expect(readKubernetes(objects)).toEqual(readKubernetes(base))
  },
)

describe.each(sets)('$objects with queues in $queueIn', ({ queueIn, manifests }) => {
  const ofKind = (...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind))
  const workloads = ofKind('Deployment', 'Job')
  const componentOf = (workload: Manifest) => workload.spec.template.metadata.labels['app.kubernetes.io/component']

  test('has pods that the restricted standard of Kubernetes admits', () => {
    expect(workloads.map(componentOf).sort()).toEqual(Object.keys(readProcfile()).sort())
    for (const workload of workloads) {
      const pod = podOf(workload)
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(pod.containers).toHaveLength(1)
      expect(pod.containers[0]).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { requests: expect.anything(), limits: { memory: expect.any(String) } },
      })
      expect(pod.volumes.filter((volume: Manifest) => !volume.emptyDir && !volume.secret)).toEqual([])
    }
  })

  test('mounts the key-encryption key in signing pods only', () => {
    const secretsOf = (workload: Manifest) =>
      podOf(workload).volumes.flatMap(({ secret }: Manifest) => (secret ? [secret.secretName] : []))
    const holders = workloads.filter((workload) => secretsOf(workload).includes(keySecret))
    expect(holders.map(componentOf)).toEqual(['signing'])
    const named = workloads.filter((workload) => JSON.stringify(workload).includes('key-encryption-key'))
    expect(named.map(componentOf)).toEqual(['signing'])
    // No process reads secrets at the API of Kubernetes, and none gets all files of the common secret.
    const volumes = workloads.flatMap((workload) => podOf(workload).volumes)
    const common = volumes.filter(({ secret }: Manifest) => secret?.secretName === 'trustwright')
    expect(common.filter(({ secret }: Manifest) => !secret.items?.length)).toEqual([])
  })

  const policies = ofKind('NetworkPolicy')
  /** The rules that apply to the pods of a process. */
  function rulesOf(component: string, direction: 'ingress' | 'egress'): Manifest[] {
    const applies = ({ matchLabels = {}, matchExpressions = [] }: Manifest) => {
      const labels = labelsOf(component) as Record<string, string>
      const hasLabels = Object.entries(matchLabels).every(([name, value]) => labels[name] === value)
      return hasLabels && matchExpressions.every(({ key, values }: Manifest) => values.includes(labels[key]))
    }
    const own = policies.filter(({ spec }) => applies(spec.podSelector))
    return own.flatMap(({ spec }) => spec[direction] ?? [])
  }

  test('opens only the connections that each process needs', () => {
    const portsOf = (rules: Manifest[]) =>
      rules.flatMap(({ ports }) => ports?.map(({ port }: Manifest) => port) ?? ['any'])
    const portsByProcess = Object.keys(readProcfile()).map((name) => [
      name,
      { in: portsOf(rulesOf(name, 'ingress')), out: [...new Set(portsOf(rulesOf(name, 'egress')))] },
    ])
    const redis = queueIn === 'redis' ? [6379] : []
    expect(Object.fromEntries(portsByProcess)).toEqual({
      release: { in: ['ops'], out: [53, 5432] },
      web: { in: ['ops', 'http'], out: [53, 5432, 'any', ...redis] },
      signing: { in: ['ops'], out: [53, 5432, ...redis] },
      worker: { in: ['ops'], out: [53, 5432, 'any', ...redis] },
    })
    const blocks = rulesOf('web', 'egress')
      .filter(({ ports }) => !ports)
      .flatMap(({ to }) => to)
    for (const { ipBlock } of blocks) expect(ipBlock.except.length).toBeGreaterThan(2)
    const everyone = policies.find(({ metadata }) => metadata.name === 'trustwright-default')
    expect(everyone?.spec.policyTypes).toEqual(['Ingress', 'Egress'])
  })

  test('has a budget and an autoscaler for each deployment', () => {
    const deployments = ofKind('Deployment')
    const names = deployments.map(({ metadata }) => metadata.name)
    expect(
      ofKind('PodDisruptionBudget')
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual([...names].sort())
    for (const { metadata, spec } of [...ofKind('PodDisruptionBudget'), ...deployments])
      expect(spec.selector.matchLabels).toEqual(labelsOf(metadata.name.replace('trustwright-', '')))
    const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name)
    expect(scaled.sort()).toEqual([...names].sort())
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) expect(spec.minReplicas).toBeGreaterThan(1)
    const [service] = ofKind('Service')
    expect(service?.spec).toMatchObject({ selector: labelsOf('web'), ports: [{ targetPort: 'http' }] })
  })

  test('scales by metrics that exist, and by the queues of the process', () => {
    const documented = readDeployFile('../metrics.md')
    const adapter = parse(readDeployFile('kubernetes/prometheus-adapter.yaml')).rules.external as Manifest[]
    const seriesOf = adapter.map(({ seriesQuery }) => seriesQuery.split('{')[0])
    for (const { metadata, spec } of ofKind('HorizontalPodAutoscaler')) {
      const roles = readProcfile()[metadata.name.replace('trustwright-', '')]!
      const external = spec.metrics.flatMap(({ external: of }: Manifest) => (of ? [of.metric] : []))
      for (const { name, selector } of external) {
        expect(documented).toContain(`| \`${name}\` | service |`)
        expect(seriesOf).toContain(name)
        if (selector) expect(roles).toContain(selector.matchLabels.queue)
      }
    }
    const used = ofKind('HorizontalPodAutoscaler').flatMap(({ spec }) => spec.metrics)
    const names = new Set(used.map(({ external }: Manifest) => external?.metric.name).filter(Boolean))
    expect([...names].sort()).toEqual([...seriesOf].sort())
  })
})
