import { useLocation } from 'preact-iso'
import { ActButton } from '../../kit/act-button.tsx'
import { api, callApi } from '../../kit/api.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { say } from '../../kit/language.ts'
import type { Operation } from '../../kit/session.ts'
import { UndoButton } from '../../kit/undo.tsx'
import { to } from '../../kit/url-state.ts'
import { oneTexts } from './bulk-texts.ts'
import type { Bulk } from './states.ts'

type Verb = 'start' | 'pause' | 'resume' | 'retry' | 'cancel'

const operations = {
  ...{ start: 'startBulkIssuance', pause: 'pauseBulkIssuance', resume: 'resumeBulkIssuance' },
  ...{ retry: 'retryBulkIssuance', cancel: 'cancelBulkIssuance' },
} as const satisfies Record<Verb, Operation>

/** The action of each state that is offered as a button. */
const next: { [state in Bulk['state']]?: Verb } = { ready: 'start', running: 'pause', paused: 'resume', done: 'retry' }
const cancellable: readonly Bulk['state'][] = ['validating', 'ready', 'running', 'paused']

/** The actions that are possible in the state. */
export function Actions({ bulk, onChange }: { bulk: Bulk; onChange: () => void }) {
  const { route } = useLocation()
  const { id, state, failed, valid } = bulk
  const params = { path: { id } }
  const verb = next[state]
  const isUseful = verb === 'start' ? valid > 0 : verb !== 'retry' || failed > 0
  return (
    <div class="actions">
      {verb === 'pause' && (
        <UndoButton
          calls={[operations.pause, operations.resume]}
          label={say(oneTexts.pause)}
          act={() => change('pause', id)}
          undo={() => change('resume', id)}
          onDone={onChange}
        />
      )}
      {verb && verb !== 'pause' && isUseful && (
        <ActButton
          calls={operations[verb]}
          key={verb}
          label={say(oneTexts[verb])}
          isPrimary
          act={() => change(verb, id)}
          onDone={onChange}
        />
      )}
      {cancellable.includes(state) && (
        <ConfirmButton
          calls={operations.cancel}
          label={say(oneTexts.cancel)}
          title={say(oneTexts.cancelTitle)}
          isDanger
          act={() => change('cancel', id)}
          onDone={onChange}
        >
          <p>{say(oneTexts.cancelWhat)}</p>
        </ConfirmButton>
      )}
      <ConfirmButton
        calls="deleteBulkIssuance"
        label={say(oneTexts.delete)}
        title={say(oneTexts.deleteTitle)}
        word={say(oneTexts.word)}
        act={() => callApi(api.DELETE('/v1/bulk-issuances/{id}', { params }))}
        onDone={() => route(to('/bulk'))}
      >
        <p>{say(oneTexts.deleteWhat)}</p>
      </ConfirmButton>
    </div>
  )
}

function change(verb: Verb, id: string) {
  // Boundary: the operations have the same types.
  const path = `/v1/bulk-issuances/{id}/${verb}` as '/v1/bulk-issuances/{id}/start'
  return callApi(api.POST(path, { params: { path: { id } } }))
}
