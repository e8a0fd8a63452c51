import type { ReactElement } from 'react'
import type { Service } from './Service.js'

/** Props of `Problem`. */
export interface ProblemProps {
  /** The service. */
  readonly service: Service
  /** What happened. */
  readonly error: Error
  /** The person wants another try. */
  readonly onRetry: () => void
  /** The person wants another service. */
  readonly onService: () => void
}

/** Stands in place of a conversation when the service cannot be reached. */
export function Problem({ service, error, onRetry, onService }: ProblemProps): ReactElement {
  return (
    <div className="demo-problem" role="alert">
      <p>
        The service at <code>{service.url}</code> does not answer as it should.
      </p>
      <div className="demo-actions">
        <button type="button" className="demo-button demo-primary" onClick={onRetry}>
          Try again
        </button>
        <button type="button" className="demo-button" onClick={onService}>
          Another service
        </button>
      </div>
      <details>
        <summary>Details</summary>
        <p>{error.message}</p>
      </details>
    </div>
  )
}
