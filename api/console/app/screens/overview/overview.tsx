import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { overviewTexts } from './texts.ts'

export default function Overview() {
  return <Screen title={say(overviewTexts.overview)}>{null}</Screen>
}
