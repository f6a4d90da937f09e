import { answerInputs } from '../../shared/threads/answer-inputs.ts'
import { readIntegratedList } from './read-integrated-list.ts'

/** Reads one list in a thread of its own. Its memory is released with the thread. */
answerInputs(readIntegratedList)
