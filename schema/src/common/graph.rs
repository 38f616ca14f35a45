//! Graphs whose nodes are numbers.

/// Whether each node leads to one of `open`. `users` has the nodes that lead to each node directly.
pub(crate) fn leading_to(users: &[Vec<usize>], mut open: Vec<usize>) -> Vec<bool> {
    let mut found = vec![false; users.len()];
    while let Some(at) = open.pop() {
        if let Some(flag) = found.get_mut(at).filter(|flag| !**flag) {
            *flag = true;
            open.extend(users.get(at).into_iter().flatten());
        }
    }
    found
}

/// The nodes that `starts` lead to, each after its parts. For a part that is among the open nodes, each of which leads
/// to the next one, `circle` is called with these and the part.
///
/// Without recursion: schemas may nest as deep as they are long.
pub(crate) fn parts_first<E>(
    count: usize,
    starts: impl Iterator<Item = usize>,
    parts: impl Fn(usize) -> Vec<usize>,
    mut circle: impl FnMut(&[usize], usize) -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    let mut order = Vec::with_capacity(count);
    // Whether a node is complete, once it was met.
    let mut met: Vec<Option<bool>> = vec![None; count];
    // The parts of each open node that are left.
    let (mut open, mut left): (Vec<usize>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
    for start in starts {
        let mut next = Some(start);
        loop {
            if let Some(id) = next.take() {
                match met.get_mut(id) {
                    Some(state @ None) => {
                        *state = Some(false);
                        open.push(id);
                        left.push(parts(id));
                    }
                    Some(Some(false)) => circle(&open, id)?,
                    Some(Some(true)) | None => {}
                }
            }
            let Some(parts) = left.last_mut() else { break };
            next = parts.pop();
            if next.is_none() {
                left.pop();
                if let Some(id) = open.pop() {
                    order.push(id);
                    met.get_mut(id).into_iter().for_each(|state| *state = Some(true));
                }
            }
        }
    }
    Ok(order)
}
