import { Misconfigured } from '../process/dependency.ts'

/** An error that the user of `npm start` can solve. Printed as a message, without a stack. */
export class StartupError extends Misconfigured {
  constructor(message: string) {
    super(message)
    this.name = 'StartupError'
  }
}
