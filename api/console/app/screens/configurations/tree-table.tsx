import { useState } from 'preact/hooks'
import { type ClaimTree, type PlacedClaim, placedClaims } from '../../kit/claim-tree.ts'
import { isRecord } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import type { Body } from './body.ts'
import { TextInput } from './claims-table.tsx'
import { fieldTexts as labels } from './field-texts.ts'
import { configurationTexts as own } from './texts.ts'
import { canAdd, changedAt } from './tree-edit.ts'

/** The claims of an SD-JWT VC in the order of their tree. Arrays, types and display names are edited in the JSON. */
export function TreeTable(props: { body: Body; change: (body: Body) => void; details: Problem['details'] }) {
  const { body, change, details } = props
  const tree = isTree(body.claimMappings) ? body.claimMappings : {}
  const claims = placedClaims(tree, body.disclose === 'never' ? 'never' : 'always')
  const faults = details.filter(({ param }) => `${param}.`.startsWith('claimMappings.'))
  const put = (path: PlacedClaim['path'], leaf: PlacedClaim['leaf'] | undefined) =>
    change({ ...body, claimMappings: changedAt(tree, path, () => leaf) })
  return (
    <>
      <p class="soft">{say(own.treeHint)}</p>
      {faults.map(({ param, message }) => (
        <p key={param} class="fault" role="alert">
          {param}: {message}
        </p>
      ))}
      {claims.length > 0 && (
        <table class="claims">
          <caption class="unseen">{say(own.claims)}</caption>
          <thead>
            <tr>
              {[labels.claim, labels.mapFrom, labels.defaultValue, labels.required, own.disclosure].map((head) => (
                <th key={head.en} scope="col">
                  {say(head)}
                </th>
              ))}
              <th scope="col">
                <span class="unseen">{say(own.removeIt)}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {claims.map((claim) => (
              <Row key={JSON.stringify(claim.path)} claim={claim} put={(leaf) => put(claim.path, leaf)} />
            ))}
          </tbody>
        </table>
      )}
      <NewClaim tree={tree} add={(path) => put(path, { mapFrom: `claims.${path.join('.')}` })} />
    </>
  )
}

function Row({ claim, put }: { claim: PlacedClaim; put: (leaf: PlacedClaim['leaf'] | undefined) => void }) {
  const { path, leaf, isDisclosable } = claim
  const called = path.map((segment) => segment ?? '[]').join(' › ')
  const set = (member: keyof typeof leaf, value: unknown) => {
    const { [member]: _, ...rest } = leaf
    put(value === undefined ? rest : { ...leaf, [member]: value })
  }
  const input = (member: 'mapFrom' | 'defaultValue') => (
    <TextInput
      label={`${say(labels[member])}: ${called}`}
      isWrong={false}
      value={leaf[member]}
      placeholder={undefined}
      onType={(text) => set(member, text || undefined)}
    />
  )
  const isOfElement = path.at(-1) === null
  return (
    <tr>
      <td data-head={say(labels.claim)}>
        <code>{called}</code>
      </td>
      <td data-head={say(labels.mapFrom)}>{input('mapFrom')}</td>
      <td data-head={say(labels.defaultValue)}>{input('defaultValue')}</td>
      <td data-head={say(labels.required)}>
        <input
          type="checkbox"
          aria-label={`${say(labels.required)}: ${called}`}
          checked={leaf.required === true}
          onChange={(event) => set('required', event.currentTarget.checked || undefined)}
        />
      </td>
      <td data-head={say(own.disclosure)}>
        <select
          aria-label={`${say(own.disclosure)}: ${called}`}
          // The setting of elements is that of their array.
          disabled={isOfElement}
          value={leaf.disclose ?? ''}
          onChange={(event) => set('disclose', event.currentTarget.value || undefined)}
        >
          <option value="">{say(isDisclosable ? own.byHolder : own.alwaysShown)} *</option>
          <option value="always">{say(own.byHolder)}</option>
          <option value="never">{say(own.alwaysShown)}</option>
        </select>
      </td>
      <td data-head="">
        <button
          type="button"
          class="plain"
          aria-label={`${say(own.removeIt)}: ${called}`}
          onClick={() => put(undefined)}
        >
          ✕
        </button>
      </td>
    </tr>
  )
}

function NewClaim({ tree, add }: { tree: ClaimTree; add: (path: string[]) => void }) {
  const [name, setName] = useState('')
  const path = name.trim().split('.')
  return (
    <div class="actions">
      <input
        type="text"
        aria-label={say(own.newClaimName)}
        placeholder="address.locality"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button
        type="button"
        disabled={!canAdd(tree, path)}
        onClick={() => {
          add(path)
          setName('')
        }}
      >
        {say(own.addClaim)}
      </button>
    </div>
  )
}

/** Whether a typed value is a tree, as far as this table reads it. */
function isTree(value: unknown): value is ClaimTree {
  return isRecord(value) && Object.values(value).every(isNode)
}

function isNode(node: unknown): boolean {
  if (!isRecord(node)) return false
  if ('members' in node) return isTree(node.members)
  return !('each' in node) || isNode(node.each)
}
