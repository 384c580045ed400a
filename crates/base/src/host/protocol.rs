//! The pairs of a request and its response, and the enums that carry them across the boundary.

use serde::Serialize;

use super::request::{
    ChangesRequest, CommitRequest, CommitsBetweenRequest, EmbedRequest, ExtractRequest,
    FileTimesRequest, GitHeadRequest, HistoryRequest, IgnoreRulesRequest, LoadGrammarRequest,
    ModelRequest, NowRequest, OffsetsRequest, OverlayRequest, ReadDirsRequest, ReadManyRequest,
    ReadObjectsRequest, RemoveRequest, StatRequest, StoreRequest, WaitRequest, WatchRequest,
    WriteRequest, YieldRequest,
};
use super::response::{
    Buffer, Changes, Commit, CommitChanges, DirEntry, FileResults, FileStamp, FileTimes, GitHead,
    IgnoreRules, ModelResponse, Time, WatchToken,
};
use crate::error::{ErrorCode, RagnavError};

/// A request whose response has a known type.
///
/// # Examples
///
/// ```
/// use ragnav_base::host::{HostRequest, NowRequest, ReadManyRequest, Response};
/// use ragnav_base::path::RepoPath;
///
/// assert_eq!(NowRequest::NAME, "now");
/// let paths = vec![RepoPath::parse("a.py").unwrap()];
/// assert_eq!(ReadManyRequest { paths, max_bytes: 100 }.item_count(), Some(1));
/// assert!(NowRequest::unwrap_response(Response::Commit(())).is_err());
/// ```
pub trait HostRequest: Into<Request> {
    /// The type of the response.
    type Response;
    /// The name of the request, as in JavaScript.
    const NAME: &'static str;
    /// The code of the error if the host fails on this request.
    const ERROR_CODE: ErrorCode;

    /// Returns the number of items that the response must have; `None` if there is no such number.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{HostRequest, NowRequest, OffsetsRequest};
    ///
    /// assert_eq!(OffsetsRequest { instants: vec![0, 1_000] }.item_count(), Some(2));
    /// assert_eq!(NowRequest {}.item_count(), None);
    /// ```
    fn item_count(&self) -> Option<usize>;

    /// Takes this request's response out of the enum, with its number of items if it must have
    /// as many as the request.
    ///
    /// # Errors
    /// The response itself if it belongs to another request or is a failure.
    ///
    /// # Examples
    ///
    /// ```
    /// use ragnav_base::host::{HostRequest, OffsetsRequest, Response};
    ///
    /// let unwrapped = OffsetsRequest::unwrap_response(Response::Offsets(vec![3_600]));
    /// assert_eq!(unwrapped, Ok((vec![3_600], Some(1))));
    /// let failed = Response::Failed("no clock".to_owned());
    /// assert_eq!(OffsetsRequest::unwrap_response(failed.clone()), Err(failed));
    /// ```
    fn unwrap_response(response: Response) -> Result<(Self::Response, Option<usize>), Response>;
}

/// Declares the pairs: `Variant(RequestType, "name") -> ResponseType`. `each items` declares that
/// the response must have one item for each of the field `items`, and `fails with Code` the code of
/// the error if the host fails; the default is `HostFailed`.
macro_rules! protocol {
    ($(
        $variant:ident($request:ident, $name:literal)
            $(each $items:ident)?
            $(fails with $code:ident)?
            -> $response:ty;
    )*) => {
        /// A request to the host.
        ///
        /// # Examples
        ///
        /// ```
        /// use ragnav_base::host::{Request, WaitRequest};
        ///
        /// let request = Request::from(WaitRequest { ms: 250 });
        /// assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"name":"wait","ms":250}"#);
        /// ```
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
        #[serde(tag = "name")]
        pub enum Request {
            $(
                #[doc = concat!("See [`", stringify!($request), "`].")]
                #[serde(rename = $name)]
                $variant($request),
            )*
        }

        /// The host's response to a [`Request`].
        ///
        /// # Examples
        ///
        /// ```
        /// use ragnav_base::host::{Host, ModelRequest, Response};
        /// use ragnav_base::memory_host::{MemoryHost, block_on};
        ///
        /// let request = ModelRequest { body: "{}".to_owned(), timeout_ms: 1_000 };
        /// let response = block_on(MemoryHost::default().respond(request.into()));
        /// assert_eq!(response, Response::Failed("no model in memory".to_owned()));
        /// ```
        #[derive(Debug, Clone, PartialEq)]
        pub enum Response {
            $(
                #[doc = concat!("The response to a [`", stringify!($request), "`].")]
                $variant($response),
            )*
            /// The host failed with this message.
            Failed(String),
        }

        impl Request {
            /// Returns the name of the request, as in JavaScript.
            ///
            /// # Examples
            ///
            /// ```
            /// use ragnav_base::host::{NowRequest, Request};
            ///
            /// assert_eq!(Request::from(NowRequest {}).name(), "now");
            /// ```
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $request::NAME,)*
                }
            }
        }

        $(
            impl From<$request> for Request {
                fn from(request: $request) -> Self {
                    Self::$variant(request)
                }
            }

            impl HostRequest for $request {
                type Response = $response;
                const NAME: &'static str = $name;
                const ERROR_CODE: ErrorCode = protocol!(@code $($code)?);

                fn item_count(&self) -> Option<usize> {
                    protocol!(@count self $($items)?)
                }

                fn unwrap_response(
                    response: Response,
                ) -> Result<(Self::Response, Option<usize>), Response> {
                    match response {
                        Response::$variant(response) => {
                            let count = protocol!(@response_count response $($items)?);
                            Ok((response, count))
                        }
                        other => Err(other),
                    }
                }
            }
        )*
    };
    (@code) => { ErrorCode::HostFailed };
    (@code $code:ident) => { ErrorCode::$code };
    (@count $request:ident) => { None };
    (@count $request:ident $items:ident) => { Some($request.$items.len()) };
    (@response_count $response:ident) => { None };
    (@response_count $response:ident $items:ident) => { $response.count_items() };
}

protocol! {
    GitHead(GitHeadRequest, "gitHead") -> GitHead;
    ReadDirs(ReadDirsRequest, "readDirs") each paths -> FileResults<Vec<DirEntry>>;
    ReadMany(ReadManyRequest, "readMany") each paths -> FileResults<Vec<u8>>;
    Stat(StatRequest, "stat") each paths -> FileResults<FileStamp>;
    FileTimes(FileTimesRequest, "fileTimes") each paths -> Vec<Option<FileTimes>>;
    Write(WriteRequest, "write") fails with IndexWriteFailed -> ();
    Remove(RemoveRequest, "remove") fails with IndexWriteFailed -> ();
    Extract(ExtractRequest, "extract") each files -> Option<FileResults<Vec<u8>>>;
    LoadGrammar(LoadGrammarRequest, "loadGrammar") fails with LanguageUnavailable -> ();
    Now(NowRequest, "now") -> Time;
    Overlay(OverlayRequest, "overlay") -> Vec<Buffer>;
    IgnoreRules(IgnoreRulesRequest, "ignoreRules") -> Vec<IgnoreRules>;
    History(HistoryRequest, "history") -> Vec<Commit>;
    Changes(ChangesRequest, "changes") -> Option<Changes>;
    CommitsBetween(CommitsBetweenRequest, "commitsBetween") -> Option<Vec<CommitChanges>>;
    ReadObjects(ReadObjectsRequest, "readObjects") each ids -> FileResults<Vec<u8>>;
    Watch(WatchRequest, "watch") -> Option<WatchToken>;
    Commit(CommitRequest, "commit") -> ();
    Yield(YieldRequest, "yield") -> ();
    Model(ModelRequest, "model") -> ModelResponse;
    Wait(WaitRequest, "wait") -> ();
    Offsets(OffsetsRequest, "offsets") each instants -> Vec<i32>;
    Embed(EmbedRequest, "embed") each texts -> Vec<Vec<f32>>;
    Store(StoreRequest, "store") fails with StoreFailed -> serde_json::Value;
}

/// A response with an item for each item of its request.
trait CountItems {
    /// Returns the number of items; `None` if the host does not support the request.
    fn count_items(&self) -> Option<usize>;
}

impl<T> CountItems for Vec<T> {
    fn count_items(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl<T> CountItems for Option<Vec<T>> {
    fn count_items(&self) -> Option<usize> {
        self.as_ref().map(Vec::len)
    }
}

/// Checks a response to a request of type `R` and returns its value.
pub(super) fn check_response<R: HostRequest>(
    requested: Option<usize>,
    response: Response,
) -> Result<R::Response, RagnavError> {
    match R::unwrap_response(response) {
        Ok((value, received)) => match requested.zip(received) {
            Some((requested, received)) if requested != received => {
                Err(wrong_count(R::NAME, requested, received))
            }
            _ => Ok(value),
        },
        Err(other) => Err(wrong_response(R::NAME, R::ERROR_CODE, &other)),
    }
}

fn wrong_response(name: &str, code: ErrorCode, response: &Response) -> RagnavError {
    let message = match response {
        Response::Failed(message) => format!("the host's {name} failed: {message}"),
        _ => format!("the host's {name} returned the response to another request"),
    };
    RagnavError::new(code, message)
}

fn wrong_count(name: &str, requested: usize, received: usize) -> RagnavError {
    let message = format!(
        "the host's {name} returned {received} items for {requested}; it must return one for each, \
         in order"
    );
    RagnavError::new(ErrorCode::HostFailed, message)
}
