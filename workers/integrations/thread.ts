import { answerInputs } from '../../shared/threads/answer-inputs.ts'
import { readIntegratedList } from './read-integrated-list.ts'

/** A thread of its own for one list: what it takes of time and memory ends with it. */
answerInputs(readIntegratedList)
