import { Failure } from '../core/failure.ts'

/**
 * A credential that has expired, was revoked or is sent in the wrong place. Its id lets the operator see who still uses
 * it.
 */
export class UnusableCredential extends Failure {
  readonly credential: number

  constructor(reason: 'UNAUTHENTICATED' | 'CREDENTIAL_EXPIRED', credential: number) {
    super(reason)
    this.credential = credential
  }
}
