//! Collects the types that values refer to by number, after all scopes are known.

use std::collections::BTreeMap;

use super::annotations::type_number;
use super::builder::FactsBuilder;
use super::kinds::{Field, Kind};
use super::value_text::ValueText;
use crate::facts::{
    BindingTarget, Name, RETURNED, ScopeId, Space, TYPE_NUMBER, TypeFact, TypeShape, UNDECORATED,
    UNKNOWN, Value,
};
use crate::tree::NodeIndex;
use ragnav_base::position::wire;

/// The maximum number of types of one file.
const MAX_TYPES: usize = 100_000;

/// The maximum number of arms of a union or intersection.
const MAX_ARMS: usize = 64;

impl FactsBuilder<'_, '_> {
    /// Collects the types that names of the file refer to, and the names of parameters.
    pub(super) fn collect_types(&mut self) {
        self.collect_parameter_names();
        let mut types = BTreeMap::new();
        let mut next = 0;
        // A type may refer to further types, whose numbers are then new names.
        while next < self.names.len() && types.len() < MAX_TYPES {
            let numbers = type_numbers(self.names.text(Name(wire(next))));
            for node in numbers {
                if node >= self.tree.len() || types.contains_key(&node) {
                    continue;
                }
                if let Some(shape) = self.type_shape(node) {
                    types.insert(node, (self.scope_at(node), shape));
                }
            }
            next += 1;
        }
        let types = types.into_iter().map(|(node, (scope, shape))| TypeFact {
            number: wire(node),
            scope,
            shape,
        });
        self.facts.types = types.collect();
    }

    /// Returns the scope in which the names of a node are looked up.
    pub(super) fn scope_at(&self, node: NodeIndex) -> ScopeId {
        let context = self.roles.get(node);
        context.map_or(super::roles::MODULE, |context| context.scope)
    }

    fn type_shape(&mut self, node: NodeIndex) -> Option<TypeShape> {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::ArrayType => {
                let element = tree.operands(node).next()?;
                let element = self.type_argument(element);
                Some(self.array_type(vec![element]))
            }
            Kind::TupleType => Some(TypeShape::Tuple(self.tuple_parts(node))),
            Kind::UnionType | Kind::IntersectionType => Some(TypeShape::AnyOf(self.arms(node))),
            Kind::FunctionType | Kind::MethodSignature => {
                Some(TypeShape::Function(self.function_type_scope(node)))
            }
            Kind::ObjectType => Some(TypeShape::Object(self.object_type_scope(node))),
            Kind::Binary | Kind::AugmentedAssignment => {
                let operands: Vec<NodeIndex> = tree.operands(node).collect();
                Some(TypeShape::AnyOf(self.values_of_all(&operands)))
            }
            Kind::Ternary => {
                let operands: Vec<NodeIndex> = tree.operands(node).skip(1).collect();
                Some(TypeShape::AnyOf(self.values_of_all(&operands)))
            }
            Kind::Array => {
                let elements: Vec<NodeIndex> = tree.operands(node).take(MAX_ARMS).collect();
                let elements = self.values_of_all(&elements).into_iter();
                Some(self.array_type(elements.map(Some).collect()))
            }
            Kind::Object => Some(TypeShape::Object(self.object_scope(node))),
            Kind::Class => self.class_type(node),
            Kind::ClassBody => Some(TypeShape::Object(self.scope_at(node))),
            Kind::Call if tree.is_builtin_call(node) => self.builtin_result_type(node),
            Kind::Call if tree.is_callback_call(node) && tree.type_arguments(node).is_none() => {
                self.callback_result_type(node)
            }
            Kind::Call | Kind::New if tree.type_arguments(node).is_none() => {
                self.inferring_call(node)
            }
            Kind::ArrowFunction | Kind::FunctionExpression => {
                Some(TypeShape::Function(self.function_scope(node)?))
            }
            Kind::Identifier => self.inferring_function(node),
            Kind::Member => self
                .entry_type(node)
                .or_else(|| self.inferring_function(node)),
            Kind::Yield => self.yielded_type(node),
            Kind::Arguments => self.passed_element(node).or_else(|| self.guarded(node)),
            _ => self.applied_type(node),
        }
    }

    /// Returns the types of the parts of a tuple, which may have names: `[a: A, B]`. The list ends
    /// at `...A[]`, which stands for any number of parts.
    fn tuple_parts(&mut self, node: NodeIndex) -> Vec<Option<Value>> {
        let tree = self.tree;
        let parts: Vec<NodeIndex> = tree.operands(node).take(MAX_ARMS).collect();
        let is_rest = |part: &NodeIndex| tree.text(*part).starts_with("...");
        let known = parts
            .iter()
            .position(is_rest)
            .map_or(parts.len(), |rest| rest + 1);
        let parts = parts.into_iter().take(known).map(|part| {
            if is_rest(&part) {
                return None;
            }
            let of = match tree.kind(part) {
                Kind::Parameter => tree.child(part, Field::Type)?,
                _ => part,
            };
            self.type_value(of)
        });
        parts.collect()
    }

    /// Returns the type of a class that is a value: its definition, or, without a name, a
    /// constructor of objects with its members.
    fn class_type(&mut self, node: NodeIndex) -> Option<TypeShape> {
        if let Some(id) = self.definition_at(node) {
            let path = self.intern(format!("{UNDECORATED}{}", id.0));
            let is_called = false;
            return Some(TypeShape::AnyOf(vec![Value { path, is_called }]));
        }
        let body = self.tree.child(node, Field::Body)?;
        let scope = self.roles.get(body)?.scope;
        let made = self.intern_value(Some(type_number(body)));
        let name = self.intern(RETURNED);
        self.bind_name(name, body, scope, BindingTarget::Variable(made), scope);
        Some(TypeShape::Function(scope))
    }

    /// Returns the type of an array with these elements.
    pub(super) fn array_type(&mut self, elements: Vec<Option<Value>>) -> TypeShape {
        let path = self.intern("Array");
        let is_called = false;
        TypeShape::Applied {
            of: Value { path, is_called },
            space: Space::Types,
            arguments: elements,
        }
    }

    /// Returns the type of an iterator with a value, or of that of `yield* a`.
    fn yielded_type(&mut self, node: NodeIndex) -> Option<TypeShape> {
        let tree = self.tree;
        let value = tree.typed_text(tree.operands(node).next()?);
        let value = self.intern_value(value)?;
        let is_delegated = tree.children(node).any(|child| tree.text(child) == "*");
        Some(if is_delegated {
            TypeShape::AnyOf(vec![value])
        } else {
            self.array_type(vec![Some(value)])
        })
    }

    /// Returns the type of a variable that a function has tested.
    fn guarded(&mut self, arguments: NodeIndex) -> Option<TypeShape> {
        let tree = self.tree;
        let by = tree.typed_text(tree.callee(tree.parent(arguments))?);
        let variable = tree.operands(arguments).next()?;
        let otherwise = tree.typed_text(variable);
        Some(TypeShape::Guarded {
            by: self.intern_value(by)?,
            otherwise: self.intern_value(otherwise)?,
            at: self.position_of(variable),
        })
    }

    /// Returns a generic type, function or class with its type arguments.
    fn applied_type(&mut self, node: NodeIndex) -> Option<TypeShape> {
        let tree = self.tree;
        let of = tree.applied(node)?;
        let of = tree.typed_text(of).or_else(|| tree.base_text(of));
        let of = self.intern_value(of)?;
        let arguments = tree.operands(tree.type_arguments(node)?);
        let arguments: Vec<NodeIndex> = arguments.collect();
        let arguments = arguments.into_iter().map(|one| self.type_argument(one));
        Some(TypeShape::Applied {
            of,
            space: match tree.kind(node) {
                Kind::GenericType => Space::Types,
                _ => Space::Values,
            },
            arguments: arguments.collect(),
        })
    }

    /// Returns the value of a type argument. Nothing is known of what is `any` or `unknown`.
    fn type_argument(&mut self, node: NodeIndex) -> Option<Value> {
        match self.tree.text(node) {
            "any" | "unknown" => Some(Value {
                path: self.intern(UNKNOWN),
                is_called: false,
            }),
            _ => self.type_value(node),
        }
    }

    pub(super) fn type_value(&mut self, node: NodeIndex) -> Option<Value> {
        let text = self.tree.annotation_text(node);
        self.intern_value(text)
    }

    /// Returns the values of expressions. One that is no value is left out.
    fn values_of_all(&mut self, nodes: &[NodeIndex]) -> Vec<Value> {
        let tree = self.tree;
        let values = nodes.iter().filter_map(|&node| {
            let value_text = match tree.kind(node) {
                Kind::Spread => {
                    let of = tree.typed_text(tree.operands(node).next()?)?;
                    Some(ValueText {
                        path: format!("{}[]", of.into_path()).into(),
                        is_called: false,
                    })
                }
                _ => tree.typed_text(node),
            };
            self.intern_value(value_text)
        });
        values.collect()
    }

    /// Returns the arms of a union or intersection. The grammar nests longer ones.
    fn arms(&mut self, node: NodeIndex) -> Vec<Value> {
        let tree = self.tree;
        let kind = tree.kind(node);
        let mut pending = vec![node];
        let mut arms = Vec::new();
        while let Some(one) = pending.pop() {
            if arms.len() + pending.len() > MAX_ARMS {
                break;
            }
            if tree.kind(one) == kind {
                pending.extend(tree.operands(one));
            } else {
                arms.extend(self.type_value(one));
            }
        }
        arms
    }
}

/// Returns the numbers of the types in a path: 3 of `:3().a`.
fn type_numbers(path: &str) -> Vec<NodeIndex> {
    let parts = path.split(TYPE_NUMBER).skip(1);
    let numbers = parts.filter_map(|part| {
        let end = part.find(|letter: char| !letter.is_ascii_digit());
        part.get(..end.unwrap_or(part.len()))?.parse().ok()
    });
    numbers.collect()
}
