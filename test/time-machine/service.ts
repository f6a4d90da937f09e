import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { createAnalytics } from '../../api/analytics/analytics.ts'
import { createApp } from '../../api/app.ts'
import type { Deps } from '../../api/deps.ts'
import { createUploadLimiter } from '../../api/ecosystems/evidence/uploads.ts'
import { createLargeAnswers } from '../../api/http/large-answers.ts'
import { createDownloadLimiter } from '../../api/issuance/bulk/downloads.ts'
import { sentMarks } from '../../api/issuance/credential/sent-marks.ts'
import { createCaches } from '../../api/process/caches.ts'
import { createServices } from '../../api/process/services.ts'
import { openDatabase } from '../../db/client.ts'
import { migrateDatabase } from '../../db/engine/migrate-database.ts'
import { ownDocuments } from '../../db/repos/identifiers/own-documents.ts'
import type { Clock } from '../../shared/clock.ts'
import { keyParts } from '../../shared/domain/identifiers/key-policy.ts'
import { createDidResolver } from '../../shared/domain/identifiers/resolver.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { createKeys } from '../../shared/jobs/keys.ts'
import type { Log } from '../../shared/log/log.ts'
import { createOutbound } from '../../shared/outbound/outbound.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { type Config, readConfig } from '../../shared/settings/config.ts'
import { analyticsHandlers } from '../../workers/analytics/handlers.ts'
import { createAttemptLimiter } from '../../workers/delivery/attempt-limiter.ts'
import { deliveryHandlers } from '../../workers/delivery/handlers.ts'
import { createListThreads } from '../../workers/integrations/deps.ts'
import { integrationHandlers } from '../../workers/integrations/handlers.ts'
import { publishingHandlers } from '../../workers/publishing/handlers.ts'
import { bulkSigningHandlers, createSigningDeps, signingHandlers } from '../../workers/signing/create-signing-deps.ts'
import { createIssuanceCounts } from '../../workers/signing/issuance-counts.ts'
import { createKeyring } from '../../workers/signing/keys/keyring.ts'
import type { KeyProvider } from '../../workers/signing/keys/provider.ts'
import { addProvider } from '../../workers/signing/keys/providers.ts'
import { createWalletActivity } from '../../workers/signing/wallet-activity.ts'
import { upkeepHandlers } from '../../workers/upkeep/handlers.ts'
import { keepAlive } from '../harness/keep-alive.ts'
import type { HandlerOf } from './job-runner.ts'

/** What stays when the memory of the process is dropped. */
export interface Installation {
  config: Config
  /** The file of the database. */
  file: string
  origin: string
  keyEncryptionKey: Buffer
  /** The provider of all keys, if they must be in hardware. */
  keyProvider: KeyProvider | undefined
  /** Sets the application that answers the requests at `origin`. */
  serve(listener: RequestListener): void
  close(): Promise<void>
}

/** Creates a migrated database in the folder, and a server at a free port. With a provider, all keys must be in it. */
export async function install(dir: string, keyProvider?: KeyProvider): Promise<Installation> {
  const file = join(dir, 'time-machine.db')
  await migrateDatabase(`file:${file}`)
  let current: RequestListener = (_, response) => void response.writeHead(503).end()
  const server = createServer(keepAlive, (request, response) => current(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const config = readConfig({
    DATA_DIR: dir,
    DATABASE_URL: `file:${file}`,
    PLATFORM_DOMAIN: `localhost:${port}`,
    OUTBOUND_ALLOW_LOOPBACK: '1',
    SERVICE_SECRET: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'silent',
    CREDENTIAL_DEADLINE_MS: '60000',
    ...(keyProvider && { KEY_PROVIDER: keyProvider.name, REQUIRE_HARDWARE_KEYS: keyParts.join(',') }),
  })
  return {
    ...{ config, file, origin: `http://127.0.0.1:${port}`, keyEncryptionKey: randomBytes(32), keyProvider },
    serve(listener) {
      current = listener
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The whole service in this process, with its memory. */
export interface Opened {
  deps: Deps
  handlerOf: HandlerOf
  /** Sends the events that wait in the process and writes its marks. */
  flush(): Promise<void>
  /** Drops the memory and closes the database. */
  close(): Promise<void>
}

/** Opens the database and creates all dependencies, as the processes do when they start. */
export function openService(installation: Installation, parts: { bus: Bus; clock: Clock; log: Log }): Opened {
  const { config, keyEncryptionKey, keyProvider } = installation
  const { bus, clock, log } = parts
  const secrets = createSecrets(config.serviceSecrets, config)
  const db = openDatabase(config.databaseUrl, { survives: 'crash' })
  const outbound = createOutbound({ allowLoopback: config.outboundAllowLoopback, clock })
  const findOwn = ownDocuments({ db, config, clock })
  const dids = createDidResolver({ outbound, clock, findOwn, allowLoopback: config.outboundAllowLoopback })
  const keys = createKeys(bus, config.credentialDeadlineMs)
  const shared = { config, db, bus, keys, secrets, outbound, dids, clock, log }
  const lifecycle = { phase: 'serving' } as const
  const deps: Deps = {
    ...shared,
    uploads: createUploadLimiter(),
    downloads: createDownloadLimiter(),
    analytics: createAnalytics(shared),
    caches: createCaches(),
    services: createServices({ ...shared, lifecycle }),
    largeAnswers: createLargeAnswers(),
    withoutSlot: (work) => work,
    lifecycle,
  }
  const keyring = createKeyring([keyEncryptionKey], config.sealFormat, config.keyPolicy)
  if (keyProvider) addProvider(keyring.custody, keyProvider)
  const issuanceCounts = createIssuanceCounts(shared)
  const signing = createSigningDeps({ ...shared, keyring, walletActivity: createWalletActivity(), issuanceCounts })
  const attemptLimiter = createAttemptLimiter()
  const handlers: Record<string, ReturnType<HandlerOf>> = {
    ...signingHandlers(signing),
    ...bulkSigningHandlers(signing),
    ...publishingHandlers(shared),
    ...integrationHandlers({ ...shared, lists: createListThreads() }),
    ...deliveryHandlers({ ...shared, attemptLimiter }),
    ...analyticsHandlers(shared),
    ...upkeepHandlers(shared),
  }
  installation.serve(createApp(deps).callback())
  return {
    deps,
    handlerOf(name) {
      const handler = handlers[name]
      if (!handler) throw new Error(`The job ${name} has no handler.`)
      return handler
    },
    async flush() {
      await deps.analytics.close()
      await deps.services.of(sentMarks).flush()
      await issuanceCounts.flush()
    },
    async close() {
      installation.serve((_, response) => void response.writeHead(503).end())
      await deps.analytics.close()
      await deps.services.close()
      await issuanceCounts.close()
      attemptLimiter.close()
      await outbound.close()
      await db.close()
    },
  }
}
