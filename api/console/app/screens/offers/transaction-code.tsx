import { CopyButton } from '../../kit/copy.tsx'
import { say } from '../../kit/language.ts'
import { offerTexts } from './texts.ts'

/** The transaction code in large digits. The user can hide it and show it again until they leave the screen. */
export function TransactionCode(props: { code: string; isHidden: boolean; onToggle: () => void }) {
  const { code, isHidden, onToggle } = props
  return (
    <section class="transaction-code" aria-label={say(offerTexts.codeFor)}>
      <h2>{say(offerTexts.codeFor)}</h2>
      {!isHidden && (
        <p>
          <span class="digits" role="img" aria-label={[...code].join(' ')}>
            {code.match(/.{1,3}/g)?.map((group, index) => (
              <span key={index}>{group}</span>
            ))}
          </span>{' '}
          <CopyButton text={code} label={say(offerTexts.withCode)} />
        </p>
      )}
      <button type="button" aria-expanded={!isHidden} onClick={onToggle}>
        {say(isHidden ? offerTexts.showCode : offerTexts.hideCode)}
      </button>
      <p class="soft">{say(offerTexts.codeOnce)}</p>
    </section>
  )
}
