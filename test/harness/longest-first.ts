import { relative } from 'node:path'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** What lasts longest, in this order: begun last, it would leave one of two workers alone with it in the end. */
const longest = [
  'test/flows/kill.test.ts',
  'test/flows/time-machine.test.ts',
  'test/flows/rolling-restart.test.ts',
  'test/flows/start.test.ts',
  'test/flows/backup.test.ts',
  'test/flows/publication-kill.test.ts',
  'test/console/ecosystems.test.ts',
  'test/console/configurations.test.ts',
  'test/flows/certificates-kill.test.ts',
  'test/once/documented-commands.test.ts',
  'test/once/refused-dependencies.test.ts',
  'test/once/browser.test.ts',
  'test/console/offers.test.ts',
  'test/console/access.test.ts',
  'test/console/shell.test.ts',
  'test/console/canaries.test.ts',
  'test/once/offer-page.test.ts',
  'test/flows/races.test.ts',
  'test/flows/analytics-kill.test.ts',
  'test/workers/delivery.test.ts',
  'test/api/status/bulk.test.ts',
  'test/workers/failing-receiver.test.ts',
  'test/flows/token-list-ends.test.ts',
  'test/flows/database-outage.test.ts',
  'test/api/operations/service.test.ts',
  'test/once/start-settings.test.ts',
  'test/flows/fairness.test.ts',
  'test/shared/worst-cases.test.ts',
  'test/flows/dependencies.test.ts',
  'test/flows/publication.test.ts',
  'test/flows/token-list-signers.test.ts',
  'test/flows/settings.test.ts',
  'test/flows/automatic-lists-kill.test.ts',
  'test/workers/large-trusted-list.test.ts',
]

/** Vitest knows the duration of a file only if it ran before. Otherwise it uses the size of the file. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(relative(this.ctx.config.root, moduleId))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other))
  }
}
