import { useState } from 'preact/hooks'
import { type ClaimPath, type ClaimTree, type PlacedNode, placedNodes } from '../../kit/claim-tree.ts'
import { isRecord } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import type { Body } from './body.ts'
import { fieldTexts as labels } from './field-texts.ts'
import { configurationTexts as own } from './texts.ts'
import { canAdd, changedAt, pathFrom, withDisclosure, withMember } from './tree-edit.ts'
import { movedTo, siblingsOf } from './tree-order.ts'
import { TreeRow } from './tree-row.tsx'

const heads = [
  ['claim', labels.claim],
  ['type', labels.elementType],
  ['from', labels.mapFrom],
  ['default', labels.defaultValue],
  ['required', labels.required],
  ['disclosure', own.disclosure],
  ['order', own.order],
] as const

/** The nodes of the claim tree of an SD-JWT VC, in their order. */
export function TreeTable(props: { body: Body; change: (body: Body) => void; details: Problem['details'] }) {
  const { body, change, details } = props
  const tree = isTree(body.claimMappings) ? body.claimMappings : {}
  const nodes = placedNodes(tree, body.disclose === 'never' ? 'never' : 'always')
  const faults = details.filter(({ param }) => `${param}.`.startsWith('claimMappings.'))
  const put = (claimMappings: ClaimTree) => change({ ...body, claimMappings })
  return (
    <>
      <p class="soft">{say(own.treeHint)}</p>
      {nodes.length > 0 && (
        <p class="soft">
          {say(labels.valueTypeHint)} {say(own.orderHint)}
        </p>
      )}
      {faults.map(({ param, message }) => (
        <p key={param} class="fault" role="alert">
          {param}: {message}
        </p>
      ))}
      {nodes.length > 0 && (
        <table class="claims">
          <caption class="unseen">{say(own.claims)}</caption>
          <thead>
            <tr>
              {heads.map(([name, head]) => (
                <th key={name} scope="col" class={name}>
                  {say(head)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {nodes.map((placed) => {
              const { path } = placed
              const { isFirst, isLast, next } = siblingsOf(tree, path)
              return (
                <TreeRow
                  key={JSON.stringify(path)}
                  {...{ placed, details, isFirst, isLast }}
                  dragKey={JSON.stringify(path)}
                  step={(by) => put(movedTo(tree, path, next(by)))}
                  drop={(key) => put(movedTo(tree, pathOf(key, nodes), path))}
                  put={(member, value) => put(changedAt(tree, path, (node) => node && withMember(node, member, value)))}
                  disclose={(value) => put(withDisclosure(tree, path, value))}
                  remove={() => put(changedAt(tree, path, () => undefined))}
                />
              )
            })}
          </tbody>
        </table>
      )}
      <NewClaim
        tree={tree}
        add={(text) => put(changedAt(tree, pathFrom(text), () => ({ mapFrom: `claims.${text}` })))}
      />
    </>
  )
}

/** Returns the path of a dragged row. Another window can drag a row that this table does not have. */
function pathOf(key: string, nodes: readonly PlacedNode[]): ClaimPath {
  return nodes.find(({ path }) => JSON.stringify(path) === key)?.path ?? []
}

function NewClaim({ tree, add }: { tree: ClaimTree; add: (text: string) => void }) {
  const [name, setName] = useState('')
  return (
    <div class="actions">
      <input
        type="text"
        aria-label={say(own.newClaimName)}
        placeholder="degrees[].type"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button
        type="button"
        disabled={!canAdd(tree, pathFrom(name))}
        onClick={() => {
          add(name.trim())
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
