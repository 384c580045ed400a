//! A question in progress: polled, it asks its host or is done.
//!
//! No executor and no waker: a [`Session`] runs its future until the future waits for an answer, and
//! goes on when the answer is handed in. Dropping it cancels the question.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use ragnav_base::error::RagnavError;
use ragnav_base::host::{Answer, Ask, Host};

/// What a session says when it is polled.
#[derive(Debug)]
pub enum Step<T> {
    /// It needs the answer to this.
    Need(Ask),
    /// It is done.
    Done(T),
}

/// A question that is being answered.
pub struct Session<T> {
    mailbox: Rc<Mailbox>,
    future: Option<Pin<Box<dyn Future<Output = T>>>>,
}

/// The host of a session: it lays each ask out for whoever polls, and waits for the answer.
#[derive(Debug, Default)]
pub struct Mailbox {
    ask: RefCell<Option<Ask>>,
    answer: RefCell<Option<Answer>>,
}

impl Host for Mailbox {
    async fn ask(&self, ask: Ask) -> Answer {
        self.ask.replace(Some(ask));
        poll_fn(|_| match self.answer.take() {
            Some(answer) => Poll::Ready(answer),
            None => Poll::Pending,
        })
        .await
    }
}

impl<T> Session<T> {
    /// A session of the future that `start` makes over the session's mailbox.
    pub fn new<F: Future<Output = T> + 'static>(start: impl FnOnce(Rc<Mailbox>) -> F) -> Self {
        let mailbox = Rc::<Mailbox>::default();
        let future: Pin<Box<dyn Future<Output = T>>> = Box::pin(start(Rc::clone(&mailbox)));
        Self {
            mailbox,
            future: Some(future),
        }
    }

    /// Runs until the next ask or the end. The first step takes no answer, each further one the
    /// answer to the ask before.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a session that is over, and for a step without the answer it waits for.
    pub fn step(&mut self, answer: Option<Answer>) -> Result<Step<T>, RagnavError> {
        let Some(future) = self.future.as_mut() else {
            return Err(RagnavError::invalid("the session is over"));
        };
        self.mailbox.answer.replace(answer);
        match future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(value) => {
                self.future = None;
                Ok(Step::Done(value))
            }
            Poll::Pending => match self.mailbox.ask.take() {
                Some(ask) => Ok(Step::Need(ask)),
                None => Err(RagnavError::invalid("the session waits for an answer")),
            },
        }
    }
}
